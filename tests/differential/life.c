#include <stdio.h>
#include <string.h>
enum { W = 12, H = 8 };
static char board[H][W + 1], next[H][W + 1];
static int alive(int y, int x) { return board[(y + H) % H][(x + W) % W] == '#'; }
int main(void) {
  for (int y = 0; y < H; y++) memset(board[y], '.', W), board[y][W] = 0;
  board[1][2] = board[2][3] = board[3][1] = board[3][2] = board[3][3] = '#';
  for (int step = 0; step < 12; step++) {
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        int n = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) n += alive(y + dy, x + dx);
        next[y][x] = n == 3 || (n == 2 && alive(y, x)) ? '#' : '.';
      }
    memcpy(board, next, sizeof board);
  }
  for (int y = 0; y < H; y++) puts((board[y][W] = 0, board[y]));
  return 0;
}
