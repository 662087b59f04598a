-- Comments of both kinds, also with quotes and stars in them, /* and one in the other.
--
-- noether: verdict=holds states=2 canonical=2 rules=2 canonical_rules=2
-- noether: rumur=yes
/* A block comment
   over two lines, with -- inside, and "quotes" and stars ** */
var /* here too */ x: boolean; -- and here /* not open
startstate "a -- b /* c */" begin x := /***/ false; end; /**/
rule "the name -- of the rule" begin x := !x; /* " */ end; -- "
