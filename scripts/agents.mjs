import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// agents/main.ts parses the arguments and prints the help. Every other run starts gateways that serve pages, so the
// pages must be built.
const isHelp = process.argv.includes('--help') || process.argv.includes('-h');
await runCommand(() => runProgram('agents', { pages: !isHelp }));
