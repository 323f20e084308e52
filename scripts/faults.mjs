import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// faults/main.ts parses the arguments and prints the help.
await runCommand(() => runProgram('faults'));
