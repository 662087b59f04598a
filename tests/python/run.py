#!/usr/bin/env python3
"""tests/python/run.py BINARY: the Python package, against libnoether.so beside the program."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(sys.argv[1]).resolve()
os.environ["NOETHER_LIBRARY"] = str(BINARY.parent / "libnoether.so")
sys.path.insert(0, str(ROOT / "python"))
sys.path.append(str(ROOT / "tests"))
import noether
import patience

GERMAN, BUG, LEADER = (ROOT / "examples" / name for name in ("german.m", "german-bug.m", "leader.prism"))


class Package(unittest.TestCase):
    def test_the_answer_is_that_of_the_program(self):
        for words, model in (([GERMAN, "-D", "NODE_NUM=3"], noether.load(GERMAN, NODE_NUM=3)), ([BUG], noether.load(BUG)),
                             ([LEADER, ROOT / "examples/leader.props"], noether.load(LEADER, ROOT / "examples/leader.props"))):
            out = subprocess.run([BINARY, "check", *map(str, words), "--json", "-"], capture_output=True, text=True, cwd=ROOT).stdout
            other, answer = json.loads(out), model.check()
            self.assertEqual(answer.verdict, other["verdict"])
            self.assertEqual(answer.states, other["statistics"]["states"])
            self.assertEqual([(each.name, each.verdict, each.reason) for each in answer.results],
                             [(each["name"], each["verdict"], each["reason"]) for each in other["results"]])
            self.assertEqual(answer.represented, None if other["statistics"]["represented"] is None else int(other["statistics"]["represented"]))

    def test_a_trace_has_steps(self):
        violated = [each for each in noether.load(BUG).check().results if each.verdict == "violated"]
        self.assertEqual(len(violated), 1)
        self.assertEqual(len(violated[0].trace), 10)
        self.assertEqual(violated[0].trace[1].state["Chan1[NODE_1].Cmd"], "ReqShared")
        self.assertEqual(violated[0].trace[1].parameters, {"n": "NODE_1"})
        self.assertFalse(noether.load(BUG).check())

    def test_numbers_have_bounds(self):
        answer = noether.load(LEADER, properties='P=? [ F<=6 "elected" ]').check()
        result = answer['P=? [ F<=6 "elected" ]']
        self.assertLessEqual(result.bounds[0], 457 / 576)
        self.assertGreaterEqual(result.bounds[1], 457 / 576)
        with self.assertRaises(KeyError):
            answer["nothing"]
        several = noether.load(LEADER, properties=['P=? [ F<=6 "elected" ]', 'P=? [ F<=3 "elected" ]']).check()
        self.assertAlmostEqual(several['P=? [ F<=6 "elected" ]'].value, 457 / 576)
        self.assertAlmostEqual(several['P=? [ F<=3 "elected" ]'].value, 0.375)
        with self.assertRaises(TypeError):
            noether.load(LEADER, properties=[1])

    def test_properties_are_a_text_or_several(self):
        answer = noether.load(LEADER, properties=['P=? [ F<=6 "elected" ]', 'P=? [ F<=3 "elected" ];']).check()
        self.assertEqual([each.name for each in answer.results if "elected" in each.name], ['P=? [ F<=6 "elected" ]', 'P=? [ F<=3 "elected" ]'])
        with self.assertRaises(TypeError):
            noether.load(LEADER, properties=[1])

    def test_errors_are_exceptions(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "broken.m"
            path.write_text("rule x")
            with self.assertRaisesRegex(noether.ModelError, "broken.m:1:"):
                noether.load(path)
        with self.assertRaisesRegex(noether.ModelError, "no constant"):
            noether.load(GERMAN, NOTHING=3)
        with self.assertRaises(noether.Refused):
            noether.load(LEADER).check(engine="sat")
        with self.assertRaises(ValueError):
            noether.load(GERMAN).check(deadlock="perhaps")

    def test_loading_is_limited(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "slow.prism"
            path.write_text("dtmc\nformula f0 = x;\n" + "".join(f"formula f{i + 1} = mod(f{i} + f{i}, 2);\n" for i in range(60)) +
                            "module m\nx:[0..1];\n[] true -> (x'=1-x);\nendmodule\ninit f60=0 endinit\n")
            with self.assertRaisesRegex(noether.ModelError, r"time limit \(0.5 s\)"):
                noether.load(path, load_seconds=0.5)
            self.assertEqual(noether.load(GERMAN, load_seconds=100, load_memory=1 << 30).check(states=10, threads=1).verdict, "unknown")

    def test_limits_and_options(self):
        answer = noether.load(GERMAN).check(states=100, threads=1)
        self.assertEqual((answer.verdict, answer.complete), ("unknown", False))
        self.assertGreater(noether.load(GERMAN, NODE_NUM=2).check(symmetry=False).states, noether.load(GERMAN, NODE_NUM=2).check().states)

    def test_sweeps_and_threads(self):
        found = list(noether.sweep(GERMAN, "NODE_NUM", [1, 2]))
        self.assertEqual([value for value, _ in found], [1, 2])
        self.assertLess(found[0][1].states, found[1][1].states)
        model, states = noether.load(GERMAN, NODE_NUM=2), []
        threads = [threading.Thread(target=lambda: states.append(model.check(threads=1).states)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(states, [found[1][1].states] * 3)

    def test_ctrl_c_ends_a_check(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "long.m"
            path.write_text("var x: 0..60000; y: 0..60000; startstate begin x := 0; y := 0; end;\n"
                            "rule x < 60000 ==> begin x := x + 1; end; rule y < 60000 ==> begin y := y + 1; end;")
            code = "import sys, noether; sys.stdout.write('ready\\n'); sys.stdout.flush(); a = noether.load(sys.argv[1]).check(); print(a.verdict, a.stopped_by)"
            child = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True,
                                     env=os.environ | {"PYTHONPATH": str(ROOT / "python")})
            child.stdout.readline()
            patience.works(child.pid, 1)
            child.send_signal(2)
            self.assertIn("unknown interrupted", child.communicate(timeout=patience.seconds(120))[0])

    def test_the_tour_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, ROOT / "python/examples/tour.py"], cwd=folder, capture_output=True, text=True,
                                  env=os.environ | {"PYTHONPATH": str(ROOT / "python")})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("28088 states for 1105434", done.stdout)

    def test_the_version_is_that_of_the_package(self):
        self.assertIn(f'version = "{noether.version()}"', (ROOT / "python/pyproject.toml").read_text())


result = unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromTestCase(Package))
wrong = len(result.failures) + len(result.errors)
print(f"{result.testsRun - wrong} passed, {wrong} failed")
sys.exit(1 if wrong else 0)
