import { CheckFailed, type CheckResult } from '../../tee/check-list';
import type { SnpReport } from './snp-report';

/** Bits of the guest policy (AMD 56860, table "Guest Policy"). */
const SMT_ALLOWED = 1n << 16n;
const ALWAYS_ONE = 1n << 17n;
const MIGRATION_AGENT = 1n << 18n;
const DEBUG = 1n << 19n;
const RESERVED_FROM = 26n;

/**
 * Checks that the policy forbids debug commands, with which the host could read guest memory. Reserved policy bits must
 * be zero.
 *
 * @throws {CheckFailed}
 */
export function checkDebugOff({ policy }: SnpReport): CheckResult<true> {
  const evidence = { policy: hexOf(policy), smt: (policy & SMT_ALLOWED) !== 0n };
  if ((policy & DEBUG) !== 0n)
    throw new CheckFailed('The guest runs in debug mode: its host can read its memory.', evidence);
  if ((policy & ALWAYS_ONE) === 0n || policy >> RESERVED_FROM !== 0n)
    throw new CheckFailed('The policy of the guest has unknown bits.', evidence);
  return { established: true, evidence };
}

/**
 * Checks that no migration agent may move the guest, because the agent would hold the guest's keys.
 *
 * @throws {CheckFailed}
 */
export function checkMigrationOff({ policy }: SnpReport): CheckResult<true> {
  const evidence = { policy: hexOf(policy) };
  if ((policy & MIGRATION_AGENT) !== 0n)
    throw new CheckFailed('A migration agent can take over the guest with its keys.', evidence);
  return { established: true, evidence };
}

/**
 * Checks that code at VMPL 0, the guest's firmware or kernel, requested the report.
 *
 * @throws {CheckFailed}
 */
export function checkPrivilege({ vmpl }: SnpReport): CheckResult<true> {
  if (vmpl !== 0)
    throw new CheckFailed(`The report was requested at privilege level ${vmpl} of the guest, not at level 0.`, {
      vmpl,
    });
  return { established: true, evidence: { vmpl } };
}

function hexOf(policy: bigint): string {
  return `0x${policy.toString(16)}`;
}
