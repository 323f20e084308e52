import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// bench/main.ts parses the arguments and prints the help. It also measures the Next route, so the pages must be built,
// except for the help and for the growth of a ledger, which start no gateway.
const [first] = process.argv.slice(2);
const startsNoGateway = process.argv.includes('--help') || process.argv.includes('-h') || first === 'growth';
await runCommand(() => runProgram('bench', { pages: !startsNoGateway }));
