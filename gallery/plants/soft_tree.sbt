// The branching tree of Li 2012, figure 3, in its notation: named nodes, masses and lengths by
// factors. The structure is the thesis's; the factors are milder, so that it looks like a tree when
// each F is measured by the F below it.
n = 6
mass = 9        // of the branch before the first [kg]
length = 1.1    // of the branch before the first [m]
density = 900   // [kg/m^3]
start -> F 0.9 0.9 N zero
zero -> F 0.8 0.42 [T 30 N zero] F 0.8 0.42 [T -30 N zero] T 30 N zero
