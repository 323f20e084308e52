import { CheckFailed, type CheckResult, NotCheckable } from '../../../tee/check-list';
import { asHex, asObject, type JsonObject } from '../../../tee/json-shape';
import { Untrusted } from '../../../tee/x509/chain';
import type { EnclaveMeasurements, OwnCheck } from '../../enclave';
import type { Endorsements } from '../../endorsements';
import type { VerifiedRelease } from '../../family';
import type { TdxMeasurements } from '../../measurements';
import type { BuildIdentity } from '../../sigstore/build-identity';

type Release = VerifiedRelease & BuildIdentity;

const OWNER = 'https://github.com/tinfoilsh';
const HARDWARE_REPOSITORY = `${OWNER}/hardware-measurements`;
const WORKLOAD_TYPE = 'https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1';
const HARDWARE_TYPE = 'https://tinfoil.sh/predicate/hardware-measurements/v1';
/** Workflows that build or publish, of a tagged release; no other that may run in the same repository. */
const RELEASE_WORKFLOW = /^\.github\/workflows\/(?:tinfoil-)?(?:build|release)[\w-]*\.ya?ml$/;
const TAG = /^refs\/tags\/[\w.+-]+$/;
const BUNDLES_MAX = 16;
const REGISTER_BYTES = 48;

/**
 * What runs there is what a workflow of Tinfoil's built from a public repository, by the release's own word that Sigstore
 * vouches for: the launch measurement of an SNP guest, or RTMR1 and RTMR2 of a trust domain, whose MRTD and RTMR0 stand
 * in another release, of the measurements of the hardware that Tinfoil runs.
 */
export function releaseProof(): OwnCheck {
  return {
    id: 'release',
    title: 'What was measured is what a public workflow built',
    make: ({ measurements, endorsements, nowMs }) => checkRelease(measurements, endorsements, nowMs),
  };
}

async function checkRelease(
  measurements: EnclaveMeasurements,
  { sigstoreBundles, releaseDigests }: Endorsements,
  nowMs: number,
): Promise<CheckResult<Release>> {
  if (sigstoreBundles.length === 0) throw new NotCheckable('No Sigstore bundle of a release came along.');
  if (sigstoreBundles.length > BUNDLES_MAX)
    throw new CheckFailed(`There are ${sigstoreBundles.length} Sigstore bundles, more than any release takes.`);
  // Loaded when it is first needed: a page that checks no release does without it.
  const { verifyRelease } = await import('../../sigstore/verify-release');
  const releases: Release[] = [];
  for (const bundle of sigstoreBundles)
    releases.push(assertOfTinfoil(await verifyRelease(bundle, nowMs), releaseDigests));
  const workloads = releases.filter(
    ({ predicateType, repository }) => predicateType === WORKLOAD_TYPE && repository !== HARDWARE_REPOSITORY,
  );
  const [first] = workloads;
  if (!first)
    throw new NotCheckable('No Sigstore bundle is of a workload.', {
      found: releases.map(({ repository }) => repository),
    });
  const workload = workloads.find((release) => isMeasured(release, measurements));
  if (!workload)
    throw new CheckFailed(
      `What was measured is not what ${first.repository} released as ${first.ref}.`,
      buildEvidence(first),
    );
  if (measurements.kind === 'amd-sev-snp') return { established: workload, evidence: buildEvidence(workload) };
  const hardware = releases.filter(
    ({ predicateType, repository }) => predicateType === HARDWARE_TYPE && repository === HARDWARE_REPOSITORY,
  );
  return {
    established: workload,
    evidence: { ...buildEvidence(workload), ...hardwareEvidence(measurements, hardware) },
  };
}

/** @throws {Untrusted | CheckFailed} */
function assertOfTinfoil(release: Release, digests: readonly string[]): Release {
  const { owner, repository, workflow, workflowPath, ref, subjectDigest } = release;
  if (owner !== OWNER) throw new Untrusted(`The release was built from ${repository}, which is not Tinfoil's.`);
  if (!RELEASE_WORKFLOW.test(workflowPath) || !TAG.test(ref))
    throw new Untrusted(`The release was built by ${workflow}, which is no workflow for releases.`);
  if (digests.length > 0 && !digests.some((digest) => digest.toLowerCase() === subjectDigest))
    throw new CheckFailed('The Sigstore bundle is of another release than the one that is published.', {
      attested: subjectDigest,
      published: digests,
    });
  return release;
}

function isMeasured({ predicate }: Release, measurements: EnclaveMeasurements): boolean {
  const said = asObject(predicate, 'predicate');
  if (measurements.kind === 'amd-sev-snp') return registerOf(said, 'snp_measurement') === measurements.snpMeasurement;
  const registers = asObject(said['tdx_measurement'], 'predicate.tdx_measurement');
  return registerOf(registers, 'rtmr1') === measurements.rtMr1 && registerOf(registers, 'rtmr2') === measurements.rtMr2;
}

/** RTMR3 is extended by nothing in these images; what would stand there no release names. */
function hardwareEvidence({ mrTd, rtMr0, rtMr3 }: TdxMeasurements, releases: readonly Release[]) {
  if (rtMr3 === null || /[^0]/.test(rtMr3))
    throw new CheckFailed('Something was measured into RTMR3 that no release names.', { rtMr3 });
  const [first] = releases;
  if (!first) throw new NotCheckable('No Sigstore bundle is of the hardware, whose MRTD and RTMR0 no other names.');
  for (const release of releases) {
    for (const [name, value] of Object.entries(asObject(release.predicate, 'predicate'))) {
      const { mrtd, rtmr0 } = asObject(value, 'predicate');
      if (mrtd === mrTd && rtmr0 === rtMr0)
        return {
          machine: name,
          hardwareRepository: release.repository,
          hardwareCommit: release.commit,
          hardwareWorkflow: release.workflow,
        };
    }
  }
  throw new CheckFailed('MRTD and RTMR0 are of no machine whose measurements Tinfoil released.', {
    mrTd,
    rtMr0,
    hardwareCommit: first.commit,
  });
}

function registerOf(json: JsonObject, name: string): string {
  return asHex(json[name], `predicate.${name}`, REGISTER_BYTES).toLowerCase();
}

function buildEvidence({ repository, commit, workflow, ref, subjectDigest, loggedAtMs }: Release) {
  return {
    built: `from ${repository} at ${commit} by ${workflow}`,
    repository,
    commit,
    workflow,
    release: ref,
    attested: subjectDigest,
    logged: new Date(loggedAtMs).toISOString(),
  };
}
