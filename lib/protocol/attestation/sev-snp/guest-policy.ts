import { CheckFailed, type CheckResult } from '../../tee/check-list';
import type { SnpReport } from './snp-report';

/** Bits of the guest's policy (AMD 56860, table "Guest Policy"). */
const SMT_ALLOWED = 1n << 16n;
const ALWAYS_ONE = 1n << 17n;
const MIGRATION_AGENT = 1n << 18n;
const DEBUG = 1n << 19n;
/** From here on nothing is defined. */
const RESERVED_FROM = 26n;

/** Sees that the host can neither read nor write the guest's memory by the commands for debugging, and that nothing is allowed which nobody knows. @throws {CheckFailed} */
export function checkDebugOff({ policy }: SnpReport): CheckResult<true> {
  const evidence = { policy: hexOf(policy), smt: (policy & SMT_ALLOWED) !== 0n };
  if ((policy & DEBUG) !== 0n)
    throw new CheckFailed('The guest runs in debug mode: its host can read its memory.', evidence);
  if ((policy & ALWAYS_ONE) === 0n || policy >> RESERVED_FROM !== 0n)
    throw new CheckFailed('The policy of the guest has bits set that are not known.', evidence);
  return { established: true, evidence };
}

/** Sees that no migration agent may take the guest elsewhere: such an agent holds its keys. @throws {CheckFailed} */
export function checkMigrationOff({ policy }: SnpReport): CheckResult<true> {
  const evidence = { policy: hexOf(policy) };
  if ((policy & MIGRATION_AGENT) !== 0n)
    throw new CheckFailed('The guest may be taken over by a migration agent, which holds its keys.', evidence);
  return { established: true, evidence };
}

/** Sees that it was the guest's own firmware or kernel that asked, and nothing it runs at a lower privilege. @throws {CheckFailed} */
export function checkPrivilege({ vmpl }: SnpReport): CheckResult<true> {
  if (vmpl !== 0)
    throw new CheckFailed(`The report was asked for at privilege level ${vmpl} of the guest, not at 0.`, { vmpl });
  return { established: true, evidence: { vmpl } };
}

function hexOf(policy: bigint): string {
  return `0x${policy.toString(16)}`;
}
