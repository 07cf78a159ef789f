"""Small grammars that once took gigabytes, minutes or the stack: CPU time and memory are asserted.

Each bar is some four times what was measured on the machine that also ran other things, and far below
what the same file took before.
"""
import json
import resource
import unittest

from thigmo_cli import SANITIZED, CliTestCase, measured, thigmo

MANY = 10_000 if SANITIZED else 100_000


class LanguageLimits(CliTestCase):
    def check(self, text, seconds=2, megabytes=300, command="check", options=()):
        result = measured(command, self.write("m.lsys", text), *options)
        said = f"{result.stdout[:500]}\n{result.stderr[:2000]}"
        self.assertIn(result.returncode, (0, 1), said)
        self.assertNotIn("internal error", result.stderr)
        self.assert_cheap(result, seconds, megabytes)
        return result

    def refused(self, text, *words, **bars):
        result = self.check(text, **bars)
        self.assertEqual(result.returncode, 1)
        for word in words:
            self.assertIn(word, result.stdout + result.stderr)
        return result

    def accepted(self, text, **bars):
        result = self.check(text, **bars)
        self.assertEqual(result.returncode, 0, result.stdout[:500] + result.stderr[:500])
        return result


class Depth(LanguageLimits):
    """With the usual stack of 8 MB, whatever the shell that runs the tests allows."""

    def setUp(self):
        super().setUp()
        soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
        resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_STACK, (soft, hard))

    def test_fifty_thousand_else_if(self):
        chain = "".join(f" else if (x == {i}) {{ y = {i}; }}" for i in range(50_000))
        self.accepted(f"Axiom: F\nStart: {{ x = 3; y = 0; if (x < 0) {{ y = 1; }}{chain} }}\n")

    def test_a_million_levels(self):
        n = 1_000_000
        for name, text in {"signs": "Axiom: F(" + "-" * n + "1)\n",
                           "parentheses": "Axiom: F(" + "(" * n + "1" + ")" * n + ")\n",
                           "powers": "Axiom: F(" + "1^" * n + "1)\n",
                           "conditions": "Axiom: F(" + "1?" * n + "1)\n",
                           "calls": "Axiom: F(" + "sin(" * n + "1" + ")" * n + ")\n",
                           "#if": "#if " + "(" * n + "1" + ")" * n + "\n#endif\nAxiom: F\n",
                           "blocks": "Axiom: F\nStart: { " + "if (1) {" * n + "\n"}.items():
            with self.subTest(name):
                self.refused(text, "this nests deeper than 200 levels", megabytes=800)

    def test_nested_macros(self):
        n = 50_000
        self.refused("#define f(x) x\nAxiom: F(" + "f(" * n + "1" + ")" * n + ")\n",
                     "this nests deeper than 200 levels", megabytes=1200)

    def test_every_refused_line_counts_from_the_start(self):
        self.refused("Axiom: F\n" + ("A --> F(" + "(" * 300 + "\n") * 3000,
                     "this nests deeper than 200 levels")

    def test_brackets_and_nested_files_of_other_kinds(self):
        n = 1_000_000
        self.accepted("Axiom: " + "[" * (n // 2) + "F" + "]" * (n // 2) + "\n", megabytes=1500)
        for name, text in {"m.abs": "[" * n, "m.sbt": "start -> " + "[" * n,
                           "m.toml": "a = " + "[" * n, "m.geo": "[" * n, "m.gltf": "[" * n,
                           "n.gltf": '{"a":' * n}.items():
            with self.subTest(name):
                file = self.write(name, text + "\n")
                command = ("check", file) if name[-4:] in (".abs", ".sbt") else \
                    ("run", file, "--out", self.out) if name == "m.toml" else \
                    ("convert", file, self.folder / "x.obj")
                result = measured(*command)
                self.assertEqual(result.returncode, 1, result.stderr[:300])
                self.assert_cheap(result, 2, 800)


class Quadratic(LanguageLimits):
    def test_bad_lines(self):
        for line in ("this is bad", "A --> F(foo)", "A --> F)", "frobnicate: 3"):
            with self.subTest(line):
                self.refused("Axiom: F\n" + (line + "\n") * MANY, f"{MANY} errors")

    def test_lines_of_a_soft_body_tree(self):
        lines = "mass = 2\n" * (10 * MANY)  # 9 MB, each line once searched to the end for a comment
        file = self.write("m.sbt", lines + "n = 1\nstart -> F 0.9 0.5\n")
        result = measured("check", file)
        self.assertEqual(result.returncode, 0, result.stdout[:300])
        self.assert_cheap(result, 4, 400)

    def test_bad_names_among_many(self):
        names = "".join(f"v{i} = {i};\n" for i in range(MANY // 5))
        bad = "".join(f"A --> F(w{i})\n" for i in range(MANY // 5))
        self.refused("define: {\n" + names + "}\nAxiom: F\n" + bad, f"{MANY // 5} errors", seconds=6)

    def test_rules_for_one_symbol(self):
        rules = "".join(f"A(x) : x == {i} --> F({i})\n" for i in range(MANY))
        self.accepted("derivation length: 1\nAxiom: A(1)\n" + rules, seconds=3, megabytes=800)
        same = self.accepted("derivation length: 1\nAxiom: A(1)\n" + "A(x) : x > 0 --> F(x)\n" * MANY,
                             seconds=3, megabytes=800)
        self.assertIn(f"{MANY - 1} warnings", same.stdout)

    def test_context_over_branches_at_one_node(self):
        for text in ("Axiom: A" + "[B[C]]" * MANY + "C\nA < B > C --> F\n",
                     "ignore: +\nAxiom: A" + "[B]+" * MANY + "C\nA < B --> F\n",
                     "Axiom: A" + "[B]" * MANY + "C\nA > C --> F\nA < B --> C\n",
                     "ignore: B\nAxiom: A" + "B" * MANY + "C\nA < B > C --> F\n"):
            with self.subTest(text[:30]):
                self.accepted("derivation length: 2\n" + text, seconds=1)

    def test_context_with_many_sets_of_ignored_modules(self):
        rules = "".join(f"ignore: {c}\nA < B > C : {i} > 50 --> B\n" for i, c in enumerate("GHIJKLMN"))
        self.accepted("derivation length: 2\nAxiom: A" + "[B]" * MANY + "C\n" + rules, seconds=2)

    def test_cuts_beside_context_from_the_right(self):
        # 33 s, or the search of pieces that are no more.
        axioms = {"cuts": "%" * (3 * MANY) + "AB", "branches": "[F%FF]" * MANY + "AB",
                  "nested": "[F%" * MANY + "]" * MANY + "AB", "calls": "?(2,1)X%Y$" * MANY + "AB",
                  "vanishing": "E" * (2 * MANY) + "F",
                  "kept or cut": "F%" * MANY + "%B" * MANY + "AB"}
        for name, axiom in axioms.items():
            text = (f"Lsystem: 1\nderivation length: 2\nAxiom: {axiom}\nA >> B --> C\nE >> B --> C\nE --> \n"
                    + ("F < % > F --> G\n" if name in ("branches", "kept or cut") else "")
                    + "endlsystem\nLsystem: 2\nAxiom: X\nX --> G\nendlsystem\n")
            with self.subTest(name):
                self.accepted(text, seconds=2, megabytes=400)

    def test_nested_includes(self):
        for i in range(1, 20):
            self.write(f"i{i}.inc", f'#include "i{i + 1}.inc"\n' * 2)
        self.write("i20.inc", "// a leaf\n")
        self.refused('#include "i1.inc"\nAxiom: F\n', "more than 1000 files", seconds=1)

    def test_arrays(self):
        arrays = "".join(f"array a{i}[100000];\n" for i in range(500))
        self.refused("define: {\n" + arrays + "}\nAxiom: F\n", "all arrays together", seconds=1,
                     megabytes=500)
        arrays = "".join(f"array a{i}[1000];\n" for i in range(5000))
        self.accepted("define: {\n" + arrays + "}\nAxiom: F\n", megabytes=600)

    def test_conditions_of_the_preprocessor(self):
        self.accepted("#if 1\n" * MANY + "// x\n" * MANY + "#endif\n" * MANY + "Axiom: F\n")
        doubling = "".join(f"#define a{i} a{i - 1}+a{i - 1}\n" for i in range(1, 45))
        self.refused("#define a0 1\n" + doubling + "#if a44\n#endif\nAxiom: F\n", "too many parts")

    def test_macros(self):
        self.refused("#define f(x) x\nAxiom: F(" + "f(" * 500_000 + "\n", "macro replacement")
        self.refused("#define f(x) " + "x " * 200_000 + "\nAxiom: f(" + "F" * 200_000 + ")\n",
                     "macro replacement")

    def test_loops_and_blocks(self):
        body = "b = 1;\n" * MANY
        self.refused("Axiom: F\nStart: { a = 1; while (" + "a+" * MANY + "0 > 0) {\n" + body + "} }\n",
                     "this loop never ends", seconds=3)
        self.accepted("Axiom: F\n" + "Start" + " " * MANY + ": {\n" + body + "}\n")


class Check(LanguageLimits):
    """What `derive` can take, `check` can: it does not keep the plant."""

    def test_a_homomorphism_that_draws_millions(self):
        steps = 18 if SANITIZED else 24  # 16 million segments, which a plant would hold in 5.4 GB
        text = f"derivation length: {steps}\nAxiom: A\nA --> AA\nhomomorphism\nA --> F(0.001)\n"
        self.accepted(text + f"expect segments {2 ** steps}\n", seconds=8, megabytes=800)

    def test_a_small_soft_body_tree_of_millions(self):
        # 4.4 GB before; the strings of 43 million branches are what the limit of memory allows.
        steps = 9 if SANITIZED else 16
        tree = self.write("m.sbt", f"n = {steps}\nmass = 30\nlength = 1\nstart -> F 0.9 0.9 N z\n"
                                   "z -> F 0.8 0.4 [T 30 N z] F 0.8 0.4 [T -30 N z] T 30 N z\n")
        result = measured("check", tree)
        self.assertEqual(result.returncode, 0, result.stderr[:300])
        self.assert_cheap(result, seconds=8, megabytes=2500)

    @unittest.skipIf(SANITIZED, "a shadow of such a plant would not fit")
    def test_a_plant_beyond_the_budget_is_refused(self):
        grammar = self.write("m.lsys", "derivation length: 24\nAxiom: A\nA --> AA\nhomomorphism\n"
                                       "A --> F(0.001)\n")
        result = measured("convert", grammar, self.folder / "m.obj")
        self.assertEqual(result.returncode, 1, result.stderr[:300])
        self.assertIn("more segments than memory is allowed for", result.stderr)
        self.assert_cheap(result, 20, 2500)

    def test_an_axiom_of_millions(self):
        n = 1_000_000 if SANITIZED else 20_000_000
        self.accepted("Axiom: " + "F" * n + "\n", seconds=10, megabytes=1500)

    def test_the_limit_of_work_is_some_seconds(self):
        # The dearest functions, which once counted as one instruction each: 27 s.
        for value in ("sin(i)*pow(i,0.3)*tan(i)*exp(-i)*log(i)*atan2(i,3)",
                      "nran(0,1)+bran(0.01,0.01)+nran(0,1)"):
            loop = f"i = 0; while (i < 1000) {{ i = i + 1; y = {value}; }}"
            text = f"derivation length: 1000000\nAxiom: A\nStartEach: {{ {loop} }}\nA --> A\n"
            with self.subTest(value):
                # A quarter of the default limit, of which 27 s would be 7.
                work = ("--max-work", 20_000_000 if SANITIZED else 500_000_000)
                self.refused(text, "more work than its limit allows", seconds=3,
                             command="derive", options=work)

    def test_rules_that_are_looked_at_count_as_work(self):
        rules = "".join(f"group: {1 + i % 999}\nA --> F\n" for i in range(20_000))
        axiom = "A" * MANY
        self.refused(f"derivation length: 3\nAxiom: {axiom}\n" + rules,
                     "more work than its limit allows", seconds=3, megabytes=400, command="derive",
                     options=("--max-work", MANY * 2000))

    def test_steps_that_are_drawn_are_foreseen(self):
        self.refused("derivation length: 1000000\nenvironment: light\nAxiom: F(0.1)A?E(1)\n"
                     "A > ?E(x) : x > 2 --> A\n", "1000000 steps would be drawn", seconds=0.2)


class Explain(LanguageLimits):
    def test_a_long_rule_is_shown_once(self):
        text = "derivation length: 2\nAxiom: A\nA --> " + "B" * 19_900 + "\nB --> F\n"
        result = self.accepted(text, command="derive", options=("--explain",), seconds=1)
        self.assertLess(len(result.stdout), 3_000_000)  # 572 MB when every line had its rule
        self.assertEqual(result.stdout.count("B --> F"), 1)
        self.assertEqual(len(result.stdout.strip().splitlines()), 19_900)

    def test_memory_is_bounded(self):
        parameters = ",".join("xyzuvw"[i % 6] + str(i) for i in range(60))
        values = ",".join(["0.1234567890123456"] * 60)
        text = (f"derivation length: 1\nAxiom: A({values})\nA({parameters}) --> " + "F" * 100_000 + "\n")
        self.accepted(text, command="derive", options=("--explain",), seconds=3, megabytes=400)


class Expect(LanguageLimits):
    def test_a_failing_expectation_ends_with_an_error(self):
        bad = self.write("bad.lsys", "Axiom: FF\nexpect length 3\n")
        good = self.write("good.lsys", "Axiom: FF\nexpect length 2\n")
        for options in ((), ("--json",), ("--string",), ("--explain",)):
            result = thigmo("derive", bad, *options)
            self.assertEqual(result.returncode, 1, options)
            self.assertIn("expected 3, found 2", result.stderr)
            self.assertNotEqual(result.stdout, "")  # what came out is printed all the same
            self.assertEqual(thigmo("derive", good, *options).returncode, 0)
        self.assertEqual(thigmo("check", bad).returncode, 1)
        self.assertEqual(thigmo("check", good).returncode, 0)


class Warnings(LanguageLimits):
    def test_a_comment_that_may_be_a_roll_is_said(self):
        grammar = self.write("m.lsys", "derivation length: 1\nAxiom: F A\nA --> F//(90)B\n")
        for options in ((), ("--json",), ("--string",)):
            result = thigmo("derive", grammar, *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("m.lsys:3:8: warning: '//' begins a comment", result.stderr)
        checked = thigmo("check", grammar).stdout
        self.assertEqual(checked.count("'//' begins a comment"), 1)

    def test_commands_that_grow_say_what_the_grammar_is_warned_of(self):
        grammar = self.write("m.lsys", "derivation length: 1\nAxiom: F A\nA --> F//(90)B\n")
        scenario = self.write("m.toml", f"duration = 0.1\n[[plant]]\ngrammar = \"{grammar}\"\n")
        self.out.mkdir()
        commands = [("run", scenario, "--out", self.out / "run"), ("pose", scenario),
                    ("convert", grammar, self.out / "m.glb"),
                    ("render", grammar, "--out", self.out / "m.png", "--samples", 1,
                     "--width", 16, "--height", 16),
                    ("gallery", self.folder, "--sheet", self.out / "s.png", "--samples", 1)]
        for command in commands:
            with self.subTest(command[0]):
                result = thigmo(*command, "--json")
                self.assertEqual(result.returncode, 0, result.stderr)
                warnings = json.loads(result.stdout)["warnings"]
                self.assertEqual([(w["line"], w["column"]) for w in warnings
                                  if "begins a comment" in w["message"]], [(3, 8)])


if __name__ == "__main__":
    unittest.main()
