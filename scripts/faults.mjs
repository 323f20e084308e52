import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// Arguments, help included, belong to faults/main.ts.
await runCommand(() => runProgram('faults'));
