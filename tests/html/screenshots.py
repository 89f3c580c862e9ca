# Pictures of six reports for docs/pictures, to be looked at:  screenshots.py WHITTLE FOLDER
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser

PROGRAM, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

RACE = """#include <assert.h>
#include <pthread.h>

int tickets = 3, sold;

void *seller(void *unused) {
  if (tickets > 0) {
    tickets = tickets - 1;
    sold++;
  }
  return unused;
}

int main(void) {
  pthread_t desk[4];
  for (int i = 0; i < 4; i++) pthread_create(&desk[i], 0, seller, 0);
  for (int i = 0; i < 4; i++) pthread_join(desk[i], 0);
  assert(sold + tickets == 3);
  return 0;
}
"""
DEEP = """#include <assert.h>

int depth(int n) {
  if (n == 0) return 0;
  int below = depth(n - 1);
  return below + 1;
}

int main(void) {
  int d = depth(200);
  assert(d != 200);
  return 0;
}
"""
LONG = """#include <assert.h>

int sum;

int twice(int x) {
  int y = x * 2;
  return y;
}

int main(void) {
  for (int i = 0; i < 25000; i++) {
    sum += twice(i);
  }
  assert(sum == 1);
}
"""
LIST = """#include <stdlib.h>

enum color { RED, GREEN, BLUE };
struct node {
  int value;
  enum color color;
  struct node *next;
};
struct node *head;

void push(int value, enum color color) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->color = color;
  n->next = head;
  head = n;
}

void drop(int value) {
  for (struct node *n = head; n; n = n->next)
    if (n->value == value) free(n);
}

int main(void) {
  push(1, RED);
  push(2, GREEN);
  push(3, BLUE);
  drop(2);
  return head->next->next->value;
}
"""
PROOF = """int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0, locked = 0;
  while (i < n) {
    if (locked) reach_error();
    locked = 1;
    i++;
    locked = 0;
  }
  if (locked) reach_error();
  return 0;
}
"""


def main():
    os.makedirs(FOLDER, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, Browser() as browser:
        for name, text in (("race", RACE), ("recursion", DEEP), ("long", LONG), ("list", LIST)):
            with open(os.path.join(work, name + ".c"), "w") as file:
                file.write(text)
        subprocess.run(["cp", os.path.join(SOURCE, "examples/avr/crossing.c"), work], check=True)
        subprocess.run(["avr-gcc", "-mmcu=atmega16", "-Os", "-gdwarf-4", "crossing.c", "-o", "crossing.elf"], cwd=work, check=True)
        with open(os.path.join(work, "loop.c"), "w") as file:
            file.write(PROOF)
        reports = {
            "race": ["race.c"],
            "recursion": ["recursion.c"],
            "long": ["long.c", "--engine", "test"],
            "list": ["list.c"],
            "firmware": ["crossing.elf", "--mcu", "atmega16", "--ctl", "AG(request -> AF walkers == GREEN)"],
            "proof": ["loop.c", "--engine", "dash"],
        }
        for name, arguments in reports.items():
            page = os.path.join(work, name + ".html")
            subprocess.run([PROGRAM, "check", *arguments, "--html", name + ".html"], cwd=work, capture_output=True)
            for width, height in ((1280, 900), (390, 844)):
                shown = browser.open("file://" + page, width=width, height=height, dark=name == "recursion")
                shown.screenshot(os.path.join(FOLDER, f"report-{name}{'-phone' if width == 390 else ''}.png"))
            print(name, os.path.getsize(page), "bytes", shown.value("document.documentElement.dataset.ready"), "ms")


main()
