import { runVerifyAttestation } from './run';

process.exitCode = runVerifyAttestation(process.argv.slice(2), {
  nowMs: Date.now(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
