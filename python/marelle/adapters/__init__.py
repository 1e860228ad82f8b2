"""Games in the interfaces of other packages, which are imported only where they are there: gymnasium, pettingzoo and
open_spiel. Each adapter is written to the documented interface and needs nothing of the package but its base classes
and spaces; without it, stand-ins with the same attributes take their place."""
