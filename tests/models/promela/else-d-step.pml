/* A choice in a d_step is entered at its first option that is true or begins with a choice; each choice has its own else. */
/* noether: verdict=holds states=40 */
byte y, k;
active proctype P() {
  d_step {
    if
    :: y == 0 ->
       if
       :: y == 1 -> k = 1
       :: else -> k = 2
       fi
    :: else -> k = 3
    fi;
    if
    :: y == 3 -> k = 4
    :: if
       :: y == 1 -> k = k + 10
       :: else -> k = k + 20
       fi
    :: y == 0 -> k = k + 30
    fi
  };
  if
  :: d_step {
       if
       :: y == 1 -> k = 5
       :: else -> k++
       fi
     }
  :: y == 0 -> y = 1
  fi
}
active proctype Q() {
  y = 1;
  y = 0
}
