import { Malformed } from '../../tee/malformed';
import type { Certificate } from '../../tee/x509/certificate';
import { Untrusted } from '../../tee/x509/chain';
import { childrenOf, readDer } from '../../tee/x509/der';
import { oidOf } from '../../tee/x509/der-values';

/** Build that Fulcio certified from the OIDC token of its workflow. */
export interface BuildIdentity {
  /** `https://github.com/OWNER/NAME`. */
  repository: string;
  /** `https://github.com/OWNER`. */
  owner: string;
  commit: string;
  /** `refs/tags/…` or `refs/heads/…`. */
  ref: string;
  /** Workflow path and ref. */
  workflow: string;
  /** Path in the repository, `.github/workflows/….yml`. */
  workflowPath: string;
}

/** Extension that is critical in Fulcio's certificates, so the parser must accept it. */
export const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3';
const URI_NAME = 0x86;
const UTF8_STRING = 0x0c;
const CHARACTERS_MAX = 1_024;
const GITHUB_ACTIONS = 'https://token.actions.githubusercontent.com';
/** Fulcio's extensions (sigstore/fulcio, `docs/oid-info.md`). */
const FULCIO = '1.3.6.1.4.1.57264.1';
const OID = {
  issuer: `${FULCIO}.8`,
  signer: `${FULCIO}.9`,
  runner: `${FULCIO}.11`,
  repository: `${FULCIO}.12`,
  commit: `${FULCIO}.13`,
  ref: `${FULCIO}.14`,
  owner: `${FULCIO}.16`,
  workflow: `${FULCIO}.18`,
} as const;

/**
 * Reads the build's workflow from a certificate. Accepts only GitHub Actions on a GitHub-hosted runner, with the
 * workflow in the built repository.
 *
 * @throws {Untrusted} for another issuer, runner or purpose; {Malformed}
 */
export function readBuildIdentity({ extensions }: Certificate): BuildIdentity {
  const text = (oid: string): string => {
    const value = extensions.get(oid)?.value;
    if (!value) throw new Malformed(`The certificate of the build lacks the extension ${oid}.`);
    return textOf(readDer(value, UTF8_STRING).content);
  };
  const usages = extensions.get(EXTENDED_KEY_USAGE);
  if (!usages || !childrenOf(readDer(usages.value)).some((usage) => oidOf(usage) === CODE_SIGNING))
    throw new Untrusted('The certificate of the build is not for signing code.');
  if (text(OID.issuer) !== GITHUB_ACTIONS)
    throw new Untrusted('The certificate of the build is not for a GitHub workflow.');
  if (text(OID.runner) !== 'github-hosted') throw new Untrusted("The build ran on a machine that is not GitHub's.");
  const [repository, workflow] = [text(OID.repository), text(OID.workflow)];
  if (text(OID.signer) !== workflow || subjectOf(extensions) !== workflow)
    throw new Untrusted('The signing workflow is not the workflow that was started.');
  const [path, ...ref] = workflow.startsWith(`${repository}/`) ? workflow.slice(repository.length + 1).split('@') : [];
  if (path === undefined || ref.length !== 1)
    throw new Untrusted('The workflow of the build and the source are from different repositories.');
  const identity = {
    repository,
    owner: text(OID.owner),
    commit: text(OID.commit),
    ref: text(OID.ref),
    workflow,
    workflowPath: path,
  };
  if (!repository.startsWith(`${identity.owner}/`) || ref[0] !== identity.ref)
    throw new Untrusted('The certificate of the build contradicts itself.');
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(identity.commit))
    throw new Malformed('The certificate of the build names no commit.');
  return identity;
}

function subjectOf(extensions: Certificate['extensions']): string {
  const names = extensions.get(SUBJECT_ALTERNATIVE_NAME);
  const all = names ? childrenOf(readDer(names.value)) : [];
  if (all.length !== 1 || all[0]?.tag !== URI_NAME)
    throw new Malformed('The subject of the build certificate is not a single workflow.');
  return textOf(all[0].content);
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length > CHARACTERS_MAX) throw new Malformed('A name in the certificate of the build is too long.');
  return new TextDecoder().decode(bytes);
}
