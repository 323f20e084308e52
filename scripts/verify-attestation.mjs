import './parts/node-version.mjs';
import { runCommand } from './parts/command-line.mjs';
import { runProgram } from './parts/program.mjs';

// commands/verify-attestation parses the arguments and prints the help.
await runCommand(() => runProgram('verify-attestation'));
