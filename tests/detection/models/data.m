-- Values that are only copied and compared; 0 is the first one.
--
-- detect: order=12 Address{*}=full Value{1,2,3}=full
type Value: 0..3; Address: 1..2;
var memory: array [Address] of Value; last: array [Address] of Value;
startstate begin for a: Address do memory[a] := 0; last[a] := 0; end; end;
ruleset a: Address; v: Value do rule "write" begin memory[a] := v; last[a] := v; end; end;
invariant "read" forall a: Address do memory[a] = last[a] end;
