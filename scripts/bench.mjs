import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// bench/main.ts parses the arguments and prints the help. The benchmarks also measure the Next route, so the pages must
// be built. The help and the growth benchmarks start no gateway, so they need no pages.
const [first] = process.argv.slice(2);
const startsNoGateway = process.argv.includes('--help') || process.argv.includes('-h') || first === 'growth';
await runCommand(() => runProgram('bench', { pages: !startsNoGateway }));
