-- Dining philosophers, one of them left-handed, endlessly: the twin of philosophers.c.
const N: 10;
type pid: 0 .. N - 1;
     place: enum { hungry, one_fork, two_forks, eats, ate, put_one };
var fork_taken: array [pid] of boolean;
    eating: array [pid] of boolean;
    at: array [pid] of place;

function first(p: pid): pid; begin if p = 0 then return 1; end; return p; end;
function second(p: pid): pid; begin if p = 0 then return 0; end; return (p + 1) % N; end;

startstate begin
  for p: pid do fork_taken[p] := false; eating[p] := false; at[p] := hungry; end;
end;

ruleset p: pid do
  rule "first" at[p] = hungry & !fork_taken[first(p)] ==> begin fork_taken[first(p)] := true; at[p] := one_fork; end;
  rule "second" at[p] = one_fork & !fork_taken[second(p)] ==> begin fork_taken[second(p)] := true; at[p] := two_forks; end;
  rule "eat" at[p] = two_forks ==> begin
    eating[p] := true;
    assert !eating[(p + 1) % N] & !eating[(p + N - 1) % N] "neighbours do not eat together";
    at[p] := eats;
  end;
  rule "stop" at[p] = eats ==> begin eating[p] := false; at[p] := ate; end;
  rule "put second" at[p] = ate ==> begin fork_taken[second(p)] := false; at[p] := put_one; end;
  rule "put first" at[p] = put_one ==> begin fork_taken[first(p)] := false; at[p] := hungry; end;
end;
