/* A first model in Promela, SPIN's language: processes that share a lock. Try:
 *   noether check FILE             assertions, deadlocks and the formula below, for all states
 *   noether simulate FILE          step through it
 *   noether symmetry FILE          what is interchangeable
 *   noether check FILE --report page.html
 * The language: docs/languages/promela.md (where that is: man noether, FILES) */

#define N 3

chan lock = [1] of { bit };  /* room for one message: who takes it out has the lock */
byte inside;

init
{
	lock!1  /* the lock is free */
}

active [N] proctype worker()
{
end:
	do  /* a label that begins with "end": it may wait here for ever */
	:: lock?1 ->
		inside++;
		assert(inside == 1);  /* leave out "lock?1 ->" and check again */
		inside--;
		lock!1
	od
}

ltl never_two { [] (inside <= 1) }
