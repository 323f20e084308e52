import { describe, expect, it } from 'vitest';
import { ENCLAVE_CHECK_IDS, type EnclaveCheck as Check } from '@/lib/protocol/attestation/enclave-checks';
import { CHECK_GROUPS, rootKindOf, titleUnder } from './grouped-checks';
import { aboutCheck, chainRoles, evidenceLabel } from './check-evidence';

const chain = (simulated: boolean, outcome: Check['outcome'] = 'passed'): Check => ({
  id: 'certificate-chain',
  title: '',
  outcome,
  evidence: outcome === 'passed' ? { simulated } : {},
  reason: null,
});

describe('the words of checks', () => {
  it('follow the root that the chain was found to end in', () => {
    expect([
      rootKindOf([chain(true)]),
      rootKindOf([chain(false)]),
      rootKindOf([chain(false, 'failed')]),
      rootKindOf([]),
    ]).toEqual(['simulated', 'built-in', 'unknown', 'unknown']);
  });

  it('claim neither Intel nor a root of the page’s own where a simulator made everything', () => {
    const said = [...ENCLAVE_CHECK_IDS.map((id) => aboutCheck(id, 'simulated')), ...chainRoles('simulated')].join('\n');
    expect(said).toContain('GET /api/sandbox');
    expect(said.replace('It is not built into this page', '')).not.toMatch(
      /built into this page|by Intel|is Intel’s|Intel’s list/,
    );
  });

  it('call nothing genuine that a simulator vouches for', () => {
    const titles = CHECK_GROUPS.map(({ title }) => titleUnder('simulated', title));
    expect(titles.join()).not.toContain('genuine');
    expect(titleUnder('simulated', 'The processor is certified under a trusted root')).not.toContain('trusted');
    expect(titleUnder('built-in', 'Is it genuine hardware?')).toBe('Is it genuine hardware?');
  });

  it('claim a root that is built in only where the chain ends in it', () => {
    expect(aboutCheck('certificate-chain', 'built-in')).toContain('built into this page');
    expect(chainRoles('built-in').at(-1)).toContain('built into this page');
    expect(`${aboutCheck('certificate-chain', 'unknown')} ${chainRoles('unknown').join(' ')}`).not.toContain(
      'built in',
    );
  });

  it.each(['issued', 'measured', 'boundBy', 'evaluationDataNumber', 'rules', 'reportData', 'subject', 'images'])(
    'name the evidence %s in words',
    (name) => {
      expect(evidenceLabel(name)).toMatch(/^[A-Z]/);
    },
  );
});
