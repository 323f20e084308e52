import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// Arguments, help included, belong to bench/main.ts. It measures the Next route
// as well, so the pages must be built.
const asksForHelp = process.argv.includes('--help') || process.argv.includes('-h');
await runCommand(() => runProgram('bench', { pages: !asksForHelp }));
