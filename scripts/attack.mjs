import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// Arguments, help included, belong to attack/main.ts. What it starts by itself
// serves pages too.
const startsNothing = ['--help', '-h', '--list', '--url'].some((word) =>
  process.argv.some((given) => given === word || given.startsWith(`${word}=`)),
);
await runCommand(() => runProgram('attack', { pages: !startsNothing }));
