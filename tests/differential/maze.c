#include <stdio.h>
static char maze[8][9] = {"########", "#  #   #", "## # # #", "#    # #", "# #### #", "#    # #", "#### ..#", "########"};
static int walk(int y, int x, int steps) {
  if (maze[y][x] == '.') return steps;
  if (maze[y][x] != ' ') return 0;
  maze[y][x] = 'o';
  static const int dy[] = {0, 1, 0, -1}, dx[] = {1, 0, -1, 0};
  for (int i = 0; i < 4; i++) {
    int found = walk(y + dy[i], x + dx[i], steps + 1);
    if (found) return found;
  }
  maze[y][x] = '-';
  return 0;
}
int main(void) {
  int steps = walk(1, 1, 0);
  for (int i = 0; i < 8; i++) puts(maze[i]);
  return steps;
}
