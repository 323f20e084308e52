import { endAtClosedPipe } from '../closed-pipe';
import { runVerifyAttestation } from './run';

endAtClosedPipe([process.stdout, process.stderr], (code) => process.exit(code));

process.exitCode = await runVerifyAttestation(process.argv.slice(2), {
  nowMs: Date.now(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
