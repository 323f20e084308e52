import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// commands/private-chat parses the arguments and prints the help.
await runCommand(() => runProgram('private-chat'));
