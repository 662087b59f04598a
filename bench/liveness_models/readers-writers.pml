/* readers-writers.m for SPIN; every alternative is one step. The counts are functions of the places. "written" is about
 * the first writer. */
#ifndef R
#define R 3
#endif
#ifndef W
#define W 2
#endif
mtype = { Away, Want, Inside };
mtype at[W + R] = Away;         /* the writers first: their process numbers are 0 to W - 1 */
byte reading, writing, asking;  /* asking: writers that are not away */

active [W] proctype writer()
{
  do
  :: atomic { at[_pid] == Away -> at[_pid] = Want; asking++ }
  :: atomic { at[_pid] == Want && reading == 0 && writing == 0 -> at[_pid] = Inside; writing++ }
  :: atomic { at[_pid] == Inside -> at[_pid] = Away; writing--; asking-- }
  od
}

active [R] proctype reader()
{
  do
  :: atomic { at[_pid] == Away -> at[_pid] = Want }
  :: atomic { at[_pid] == Want && asking == 0 -> at[_pid] = Inside; reading++ }
  :: atomic { at[_pid] == Inside -> at[_pid] = Away; reading-- }
  od
}

ltl written { [] (at[0] == Want -> <> (at[0] == Inside)) }
