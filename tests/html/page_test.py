# The HTML report in a browser: stepping, folding, searching, links, sizes, themes, print.
#   page_test.py WHITTLE [SCREENSHOTS]
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, find_browser

PROGRAM = os.path.abspath(sys.argv[1])
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

LOOP = """#include <assert.h>
int sum;
int twice(int x) {
  int y = x * 2;
  return y;
}
int main(void) {
  for (int i = 0; i < ROUNDS; i++) {
    sum += twice(i);
  }
  assert(sum == 1);
}
"""

SCOPES = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct pt { int x, y; };
static int len(struct pt *q) {
  struct pt p;
  p.x = 100;
  p.y = 200;
  *q = p;
  return q->x;
}
static void *work(void *arg) {
  int local[2];
  local[0] = 5;
  *(int *)arg = local[0];
  return 0;
}
int main(void) {
  struct pt p, other;
  p.x = 1;
  int l = len(&other);
  other.y = 0;
  int x = 2;
  {
    int x = 3;
    x++;
  }
  x += 10;
  int *h = malloc(8);
  h[0] = 3;
  free(h);
  h = 0;
  int v;
  pthread_t t;
  pthread_create(&t, 0, work, &v);
  pthread_join(t, 0);
  assert(p.x != 1 || l != 100 || v != 5);
}
"""

PARTS = """#include <assert.h>
#include <string.h>
#include <wchar.h>
enum color { RED, GREEN };
struct line { struct { int x, y; } from; enum color kind; };
int main(void) {
  struct line l = {{1, 2}, RED};
  char name[8];
  strcpy(name, "pear");
  wchar_t wide[4] = L"abc";
  int list[4] = {1, 2, 3, 4};
  l.from.y = 9;
  name[1] = 'X';
  wide[1] = 0;
  list[2] = 7;
  assert(l.from.y != 9);
}
"""


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = Browser().__enter__()
        cls.race = cls.report("race.html", "check", os.path.join(SOURCE, "examples/bank.c"))
        cls.write("loop.c", LOOP)
        cls.loop = cls.report("loop.html", "check", "loop.c", "-D", "ROUNDS=50")

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    @classmethod
    def write(cls, name, text):
        with open(os.path.join(cls.folder.name, name), "w") as file:
            file.write(text)

    @classmethod
    def report(cls, name, *arguments):
        path = os.path.join(cls.folder.name, name)
        subprocess.run([PROGRAM, *arguments, "--html", path, "--timeout", "60s"], cwd=cls.folder.name, capture_output=True)
        return "file://" + path

    def step(self, page):
        return int(page.value("document.getElementById('where').textContent").split("/")[0])

    def last(self, page):
        return int(page.value("document.getElementById('where').textContent").split("/")[1])

    def test_stepping(self):
        page = self.browser.open(self.race)
        last = self.last(page)
        self.assertEqual(self.step(page), last, "it begins at the violation")
        page.press("Home")
        self.assertEqual(self.step(page), 1)
        page.press("ArrowRight")
        page.press("ArrowRight")
        self.assertEqual(self.step(page), 3)
        page.press("ArrowLeft")
        self.assertEqual(self.step(page), 2)
        page.click("#next")
        self.assertEqual(self.step(page), 3)
        page.click("#violation")
        self.assertEqual(self.step(page), last)
        self.assertIn("checking", page.value("document.getElementById('live').textContent"), "said to screen readers")

    def test_threads_and_values(self):
        page = self.browser.open(self.race)
        self.assertEqual(page.value("document.querySelectorAll('.head span:not(.n)').length"), 3)
        self.assertIn("deposit", page.value("document.querySelector('.head').textContent"))
        values = page.value("document.getElementById('values').textContent")
        self.assertIn("was written by", values)
        self.assertIn("checking", values)
        for _ in range(40):
            page.press("ArrowLeft")
            if page.value("document.querySelectorAll('#values .new').length") > 0:
                break
        else:
            self.fail("no step marks a change")
        self.assertGreater(page.value("document.querySelectorAll('#source .there').length"), 0, "where other threads are")
        self.assertEqual(page.value("document.querySelectorAll('#source .now').length"), 1)

    def test_link_to_a_step(self):
        page = self.browser.open(self.race + "#step=3")
        self.assertEqual(self.step(page), 3)
        page.press("ArrowRight")
        self.assertEqual(page.value("location.hash"), "#step=4")
        page.value("location.hash = '#step=2'")
        page.wait("document.getElementById('where').textContent.startsWith('2 ')")

    def test_over_and_out(self):
        page = self.browser.open(self.loop + "#step=1")
        calls = "[...document.querySelectorAll('.row.on')].map(r => r.textContent).join('')"
        while "twice(i)" not in page.value(calls):
            page.press("ArrowRight")
        before = self.step(page)
        page.press("ArrowRight")
        self.assertIn("x * 2", page.value(calls), "into the call")
        self.assertIn("twice", page.value("document.getElementById('values').textContent"), "the stack shows it")
        page.press("o")
        self.assertNotIn("x * 2", page.value(calls))
        page.value(f"location.hash = '#step={before}'")
        page.wait(f"document.getElementById('where').textContent.startsWith('{before} ')")
        page.press("ArrowDown")
        self.assertNotIn("x * 2", page.value(calls), "over the call")

    def test_folding(self):
        page = self.browser.open(self.loop)
        rows = "document.getElementById('rows').style.height"
        self.assertEqual(page.value("document.querySelectorAll('.row.fold').length"), 1)
        self.assertIn("rounds 2 to", page.value("document.querySelector('.row.fold').textContent"))
        folded = page.value(rows)
        page.click("#folds")
        self.assertGreater(float(page.value(rows)[:-2]), 3 * float(folded[:-2]))
        page.click("#folds")
        self.assertEqual(page.value(rows), folded)
        page.value("location.hash = '#step=60'")
        page.wait("document.getElementById('where').textContent.startsWith('60 ')")
        self.assertEqual(page.value("document.querySelectorAll('.row.on').length"), 1, "a step in a fold opens it")

    def test_variables_of_their_calls_and_blocks(self):
        self.write("scopes.c", SCOPES)
        page = self.browser.open(self.report("scopes.html", "check", "scopes.c"))
        values = "document.getElementById('values').innerText"
        on = "document.querySelector('.row.on').textContent"
        page.press("Home")
        seen = []
        for _ in range(self.last(page)):
            row, text = page.value(on), page.value(values)
            if "p.y = 200" in row:
                self.assertRegex(text, r"len : \d+\s+q\s+&other\s+p\.x\s+100\s+p\.y\s+200\b", "the callee's own")
                self.assertRegex(text, r"main : \d+[\s\S]*p\.x\s+1\b", "the caller's are still there")
                seen.append("callee")
            if "x++" in row:
                self.assertRegex(text, r"x \(of an outer block\)\s+2\s+x\s+4\b")
                seen.append("block")
            if "x += 10" in row:
                self.assertRegex(text, r"x\s+12\b")
                self.assertNotIn("outer", text)
                seen.append("after the block")
            if "assert" in row:
                for word in ("200", "local[0]\t5", "heap object", "work :"):
                    self.assertNotIn(word, text, "it has ended")
                self.assertRegex(text, r"p\.x\s+1\b")
                seen.append("end")
            page.press("ArrowRight")
        self.assertEqual(seen, ["callee", "block", "after the block", "end"])

    def test_what_is_written_in_part(self):
        self.write("parts.c", PARTS)
        page = self.browser.open(self.report("parts.html", "check", "parts.c"))
        text = page.value("document.getElementById('values').innerText")
        for known in (r"l\.from\.x\s+1\b", r"l\.from\.y\s+9\b", r"l\.kind\s+RED\b", r'name\s+"pXar"', r"list\[0\]\s+1\b", r"list\[2\]\s+7\b", r'wide\s+L"a"'):
            self.assertRegex(text, known)

    def test_search(self):
        page = self.browser.open(self.race)
        page.press("/")
        self.assertEqual(page.value("document.activeElement.id"), "search")
        page.type("savings")
        self.assertRegex(page.value("document.getElementById('found').textContent"), "[1-9][0-9]* found")
        page.press("Enter")
        self.assertIn("savings", page.value("document.querySelector('.row.on').textContent"))

    def test_small_and_dark_and_paper(self):
        page = self.browser.open(self.race, width=390, height=844)
        self.assertLessEqual(page.value("document.documentElement.scrollWidth"), 390)
        page = self.browser.open(self.race, dark=True)
        self.assertEqual(page.value("getComputedStyle(document.body).backgroundColor"), "rgb(21, 24, 29)")
        page.click("#theme")
        self.assertEqual(page.value("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertGreater(len(page.pdf()), 5000)

    def test_every_control_has_a_name(self):
        page = self.browser.open(self.race)
        nameless = "[...document.querySelectorAll('button,input')].filter(e => !(e.textContent.trim() || e.getAttribute('aria-label'))).length"
        self.assertEqual(page.value(nameless), 0)
        self.assertEqual(page.value("document.getElementById('trace').getAttribute('role')"), "listbox")
        self.assertTrue(page.value("!!document.getElementById(document.getElementById('trace').getAttribute('aria-activedescendant'))"))

    def test_long_trace(self):
        page_file = self.report("long.html", "check", "loop.c", "-D", "ROUNDS=25000", "--engine", "test")
        self.assertLess(os.path.getsize(page_file[7:]), 20e6)
        begin = time.time()
        page = self.browser.open(page_file)
        self.assertGreater(self.last(page), 99_000)
        self.assertLess(int(page.value("document.documentElement.dataset.ready")), 10_000)  # 2 s where nothing else runs
        print(f"\n100,000 steps: {os.path.getsize(page_file[7:]) / 1e6:.1f} MB, ready after {page.value('document.documentElement.dataset.ready')} ms, "
              f"{time.time() - begin:.1f} s with the browser")
        page.press("ArrowLeft")
        page.press("Home")
        self.assertEqual(self.step(page), 1)

    def test_arguments_of_calls(self):
        page = self.browser.open(self.loop + "#step=1")
        rows = "[...document.querySelectorAll('.row.on')].map(r => r.textContent).join('')"
        while "twice(i)" not in page.value(rows):
            page.press("ArrowRight")
        self.assertIn("twice(x = 0)", page.value(rows))
        page.press("ArrowRight")
        self.assertRegex(page.value("document.getElementById('values').textContent"), "twice : [0-9]+x0", "a parameter is a variable of the callee")

    def test_coverage_of_a_proof(self):
        self.write("covered.c", "int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 1 && x < 0)\n"
                                "    return 1;\n  return 0;\n}\n")
        page = self.browser.open(self.report("covered.html", "check", "covered.c"))
        self.assertIn("1 proved unreachable", page.value("document.getElementById('coverage').textContent"))
        self.assertEqual(page.value("document.querySelectorAll('.covered .unreachable').length"), 1)
        self.assertGreater(page.value("document.querySelectorAll('.covered .reached').length"), 2)
        page = self.browser.open(self.report("covered.html", "check", "covered.c"), width=390, height=844)
        self.assertLessEqual(page.value("document.documentElement.scrollWidth"), 390)

    @unittest.skipUnless(shutil.which("avr-gcc"), "no avr-gcc")
    def test_firmware(self):
        subprocess.run(["avr-gcc", "-mmcu=atmega16", "-Os", "-gdwarf-4", os.path.join(SOURCE, "examples/avr/crossing.c"), "-o", "crossing.elf"],
                       cwd=self.folder.name, check=True)
        page = self.browser.open(self.report("chip.html", "check", "crossing.elf", "--mcu", "atmega16", "--ctl", "AG(request -> AF walkers == GREEN)"))
        self.assertIn("interrupts", page.value("document.querySelector('.head').textContent"))
        self.assertRegex(page.value("document.getElementById('where').textContent"), "cycle [1-9]")
        self.assertRegex(page.value("document.getElementById('rows').textContent"), "@[1-9][0-9]* +47")
        page.press("Home")
        for _ in range(4):
            page.press("ArrowRight")
        self.assertRegex(page.value("document.getElementById('values').textContent"), "r[0-9]+0x", "registers")

    def test_proof_and_unknown(self):
        page = self.browser.open(self.report("true.html", "check", os.path.join(SOURCE, "examples/peterson.c")))
        self.assertIn("What was proved", page.value("document.body.textContent"))
        self.write("inputs.c", "int __VERIFIER_nondet_int(void);\nint main(void) {\n  return __VERIFIER_nondet_int() == 5;\n}\n")
        page = self.browser.open(self.report("unknown.html", "check", "inputs.c", "--engine", "test", "--test-runs", "10", "--property", "no-overflow"))
        self.assertIn("What is missing", page.value("document.body.textContent"))


if __name__ == "__main__":
    if find_browser() is None:
        print("no Chromium here (package chromium): the page is not tested")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
