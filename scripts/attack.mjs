import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// attack/main.ts parses the arguments and prints the help. Without `--url`, it starts gateways that serve pages, so the
// pages must be built first.
const startsNothing = ['--help', '-h', '--list', '--url'].some((word) =>
  process.argv.some((given) => given === word || given.startsWith(`${word}=`)),
);
await runCommand(() => runProgram('attack', { pages: !startsNothing }));
