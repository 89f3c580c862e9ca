-- A bounded buffer with P producers and C consumers, endlessly: the twin of buffer.c.
const P: 4;
      C: 4;
      SIZE: 5;
type process: 0 .. P + C - 1;
     place: enum { idle, locked, counted, checked, cleared, moved, done };
var slot: array [0 .. SIZE - 1] of 0 .. P;
    head: 0 .. SIZE - 1;
    count: 0 .. SIZE;
    lock: boolean;
    at: array [process] of place;

startstate begin
  for i: 0 .. SIZE - 1 do slot[i] := 0; end;
  head := 0; count := 0; lock := false;
  for p: process do at[p] := idle; end;
end;

ruleset p: process do
  rule "acquire" at[p] = idle & !lock ==> begin lock := true; at[p] := locked; end;
  rule "test" at[p] = locked ==> begin
    if p < P then if count < SIZE then at[p] := counted; else at[p] := done; end;
    else if count > 0 then at[p] := checked; else at[p] := done; end; end;
  end;
  rule "put" at[p] = counted ==> begin slot[(head + count) % SIZE] := p + 1; at[p] := moved; end;
  rule "take" at[p] = checked ==> begin assert slot[head] >= 1 "a slot in use holds an item"; at[p] := cleared; end;
  rule "clear" at[p] = cleared ==> begin slot[head] := 0; head := (head + 1) % SIZE; at[p] := moved; end;
  rule "count" at[p] = moved ==> begin
    if p < P then count := count + 1; else count := count - 1; end;
    at[p] := done;
  end;
  rule "release" at[p] = done ==> begin lock := false; at[p] := idle; end;
end;
