// The branching tree of Li 2012, figure 3, as it is printed: its own factors and angles, lengths
// before masses.
n = 5
mass = 30       // of the branch before the first [kg]
length = 0.9    // of the branch before the first [m]
density = 900   // [kg/m^3]
start -> F 0.9 0.5 N zero
zero -> F 0.9 0.33 [T 30 N zero] F 0.9 0.33 [T -30 N zero] T 30 N zero
