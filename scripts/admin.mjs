import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// lib/server/admin parses the arguments and prints the help.
await runCommand(() => runProgram('admin'));
