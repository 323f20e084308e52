import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// bench/main.ts parses the arguments and prints the help. The benchmarks also measure the Next route, so the pages must
// be built. The help starts no gateway, so it needs no pages.
const startsNoGateway = process.argv.includes('--help') || process.argv.includes('-h');
await runCommand(() => runProgram('bench', { pages: !startsNoGateway }));
