import { CheckFailed, type CheckResult, NotCheckable, notLoaded } from '../../../tee/check-list';
import { asHex, asObject, type JsonObject } from '../../../tee/json-shape';
import { Untrusted } from '../../../tee/x509/chain';
import type { EnclaveMeasurements, Endorsements, OwnCheck, TdxMeasurements } from '../../enclave';
import type { VerifiedRelease } from '../../family';
import type { BuildIdentity } from '@/lib/protocol/attestation/sigstore/verify-release';

type Release = VerifiedRelease & BuildIdentity;

const OWNER = 'https://github.com/tinfoilsh';
const HARDWARE_REPOSITORY = `${OWNER}/hardware-measurements`;
const WORKLOAD_TYPE = 'https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1';
const HARDWARE_TYPE = 'https://tinfoil.sh/predicate/hardware-measurements/v1';
const RELEASE_WORKFLOW = /^\.github\/workflows\/(?:tinfoil-)?(?:build|release)[\w-]*\.ya?ml$/;
const TAG = /^refs\/tags\/[\w.+-]+$/;
const BUNDLES_MAX = 16;
const REGISTER_BYTES = 48;

/**
 * Checks with Sigstore that a Tinfoil workflow built the measured workload from a public repository. The measurements
 * are RTMR1 and RTMR2, or an SNP guest's launch measurement. Compares MRTD and RTMR0 with a separate hardware release.
 */
export function releaseProof(): OwnCheck {
  return {
    id: 'release',
    title: 'The measured workload was built by a public workflow',
    make: ({ measurements, endorsements, nowMs }) => checkRelease(measurements, endorsements, nowMs),
  };
}

async function checkRelease(
  measurements: EnclaveMeasurements,
  { sigstoreBundles, releaseDigests }: Endorsements,
  nowMs: number,
): Promise<CheckResult<Release>> {
  if (sigstoreBundles.length === 0) throw new NotCheckable('The report has no Sigstore bundle of a release.');
  if (sigstoreBundles.length > BUNDLES_MAX)
    throw new CheckFailed(
      `The report has ${sigstoreBundles.length} Sigstore bundles; at most ${BUNDLES_MAX} are allowed.`,
    );
  // Loaded on demand, because only release checks need it.
  const { verifyRelease } = await import('../../sigstore/verify-release').catch(() => {
    throw notLoaded();
  });
  const releases: Release[] = [];
  for (const bundle of sigstoreBundles)
    releases.push(assertOfTinfoil(await verifyRelease(bundle, nowMs), releaseDigests));
  const workloads = releases.filter(
    ({ predicateType, repository }) => predicateType === WORKLOAD_TYPE && repository !== HARDWARE_REPOSITORY,
  );
  const [first] = workloads;
  if (!first)
    throw new NotCheckable('No Sigstore bundle describes a workload.', {
      found: releases.map(({ repository }) => repository),
    });
  const workload = workloads.find((release) => isMeasured(release, measurements));
  if (!workload)
    throw new CheckFailed(
      `The measured workload is not the release ${first.ref} of ${first.repository}.`,
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

function assertOfTinfoil(release: Release, digests: readonly string[]): Release {
  const { owner, repository, workflow, workflowPath, ref, subjectDigest } = release;
  if (owner !== OWNER) throw new Untrusted(`The release was built from ${repository}, which is not Tinfoil's.`);
  if (!RELEASE_WORKFLOW.test(workflowPath) || !TAG.test(ref))
    throw new Untrusted(`The release was built by ${workflow}, which is not a release workflow.`);
  if (digests.length > 0 && !digests.some((digest) => digest.toLowerCase() === subjectDigest))
    throw new CheckFailed('The Sigstore bundle does not belong to the published release.', {
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

/** Matches MRTD and RTMR0 with a hardware release. RTMR3 must be zero because Tinfoil's images never extend it. */
function hardwareEvidence({ mrTd, rtMr0, rtMr3 }: TdxMeasurements, releases: readonly Release[]) {
  if (rtMr3 === null || /[^0]/.test(rtMr3))
    throw new CheckFailed('RTMR3 contains a measurement that is in no release.', { rtMr3 });
  const [first] = releases;
  if (!first) throw new NotCheckable('No Sigstore bundle describes the hardware, so MRTD and RTMR0 cannot be checked.');
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
  throw new CheckFailed('MRTD and RTMR0 match no machine whose measurements Tinfoil released.', {
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
