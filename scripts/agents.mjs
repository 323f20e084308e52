import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// Arguments, help included, belong to agents/main.ts.
await runCommand(() => runProgram('agents'));
