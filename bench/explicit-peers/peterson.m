-- Peterson's filter lock for N processes, endlessly: the twin of peterson.c.
const N: 4;
type pid: 0 .. N - 1;
     level: 0 .. N;
     place: enum { set_flag, set_turn, waiting, inside, leaving };
var flag: array [pid] of level;
    turn: array [level] of pid;
    critical: 0 .. N;
    at: array [pid] of place;
    my: array [pid] of level;
    other: array [pid] of 0 .. N;

startstate begin
  for p: pid do
    flag[p] := 0; at[p] := set_flag; my[p] := 1; other[p] := 0;
  end;
  for l: level do turn[l] := 0; end;
  critical := 0;
end;

ruleset p: pid do
  rule "set flag" at[p] = set_flag ==> begin flag[p] := my[p]; at[p] := set_turn; end;
  rule "set turn" at[p] = set_turn ==> begin
    turn[my[p]] := p;
    other[p] := p = 0 ? 1 : 0;
    at[p] := waiting;
  end;
  rule "wait" at[p] = waiting & other[p] < N & (flag[other[p]] < my[p] | turn[my[p]] != p) ==> begin
    other[p] := other[p] + 1;
    if other[p] < N & other[p] = p then other[p] := other[p] + 1; end;
    if other[p] >= N then
      other[p] := 0;
      if my[p] + 1 < N then my[p] := my[p] + 1; at[p] := set_flag;
      else my[p] := 1; at[p] := inside; end;
    end;
  end;
  rule "enter" at[p] = inside ==> begin
    critical := critical + 1;
    assert critical = 1 "mutual exclusion";
    at[p] := leaving;
  end;
  rule "leave" at[p] = leaving & critical > 0 ==> begin critical := critical - 1; flag[p] := 0; at[p] := set_flag; end;
end;
