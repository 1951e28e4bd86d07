"""How a release is made: the core compiled for every system, a wheel for each, and what is asked of them before anybody installs one."""
