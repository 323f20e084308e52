import { bytesToHex } from '@noble/hashes/utils.js';
import { asArray, asCount, asHex, asObject, asString, asTime, type JsonObject, parseJsonObject } from '../json-shape';
import { Malformed } from '../malformed';
import type { TdReport } from '../quote/quote';
import type { PckPlatform } from './pck-extension';

/** TCB statuses in Intel's words, best to worst. */
export const TCB_STATUSES = [
  'UpToDate',
  'SWHardeningNeeded',
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
  'OutOfDate',
  'OutOfDateConfigurationNeeded',
  'Revoked',
] as const;

export type TcbStatus = (typeof TCB_STATUSES)[number];

export function isTcbStatus(value: unknown): value is TcbStatus {
  return (TCB_STATUSES as readonly unknown[]).includes(value);
}

/**
 * Combines a platform's status with the status of a part: the TDX module or the quoting enclave. An outdated part makes
 * the result outdated. The result keeps the platform's "configuration needed" (Intel TDX DCAP Quote Verification,
 * "convergence" of statuses).
 */
export function convergeTcbStatus(platform: TcbStatus, part: TcbStatus): TcbStatus {
  if (platform === 'Revoked' || part === 'Revoked') return 'Revoked';
  if (part === 'UpToDate') return platform;
  if (part === 'OutOfDate') {
    const wantsConfiguration =
      platform === 'ConfigurationNeeded' ||
      platform === 'ConfigurationAndSWHardeningNeeded' ||
      platform === 'OutOfDateConfigurationNeeded';
    return wantsConfiguration ? 'OutOfDateConfigurationNeeded' : 'OutOfDate';
  }
  // Intel assigns parts only UpToDate, OutOfDate or Revoked. For any other status, the result is the worse of the two.
  return TCB_STATUSES.indexOf(part) > TCB_STATUSES.indexOf(platform) ? part : platform;
}

export interface TcbLevelVerdict {
  status: TcbStatus;
  tcbDateMs: number;
  advisoryIds: string[];
}

/**
 * Parses the members common to the TCB levels of platform, module and enclave.
 *
 * @throws {Malformed} also for an unknown status
 */
export function readLevelVerdict(value: unknown, path: string): TcbLevelVerdict {
  const level = asObject(value, path);
  const status = level['tcbStatus'];
  if (!isTcbStatus(status)) throw new Malformed(`${path}.tcbStatus is not a known status.`);
  const advisoryIds = asArray(level['advisoryIDs'] ?? [], `${path}.advisoryIDs`).map((id) =>
    asString(id, `${path}.advisoryIDs`),
  );
  return { status, tcbDateMs: asTime(level['tcbDate'], `${path}.tcbDate`), advisoryIds };
}

interface PlatformLevel extends TcbLevelVerdict {
  sgxSvns: number[];
  tdxSvns: number[];
  pceSvn: number;
}

/** Required signer and attributes of a TDX module, in upper-case hex. Attributes outside the mask are not compared. */
interface ModuleIdentity {
  mrSigner: string;
  attributes: string;
  attributesMask: string;
}

interface VersionedModule extends ModuleIdentity {
  id: string;
  levels: (TcbLevelVerdict & { isvSvn: number })[];
}

/** Intel's TCB info of version 3 for TDX. */
export interface TcbInfo {
  issueDateMs: number;
  nextUpdateMs: number;
  fmspc: string;
  pceId: string;
  evaluationDataNumber: number;
  module: ModuleIdentity;
  versionedModules: VersionedModule[];
  levels: PlatformLevel[];
}

const VERSION = 3;
const COMPONENTS = 16;

/** Parses the signed text of TCB info. @throws {Malformed} */
export function parseTcbInfo(text: string): TcbInfo {
  const json = parseJsonObject(text, 'tcb_info');
  if (json['id'] !== 'TDX' || json['version'] !== VERSION || json['tcbType'] !== 0)
    throw new Malformed('The TCB info does not have version 3 for TDX.');
  return {
    issueDateMs: asTime(json['issueDate'], 'tcb_info.issueDate'),
    nextUpdateMs: asTime(json['nextUpdate'], 'tcb_info.nextUpdate'),
    fmspc: asHex(json['fmspc'], 'tcb_info.fmspc', 6),
    pceId: asHex(json['pceId'], 'tcb_info.pceId', 2),
    evaluationDataNumber: asCount(json['tcbEvaluationDataNumber'], 'tcb_info.tcbEvaluationDataNumber'),
    module: readModule(asObject(json['tdxModule'], 'tcb_info.tdxModule'), 'tcb_info.tdxModule'),
    versionedModules: asArray(json['tdxModuleIdentities'] ?? [], 'tcb_info.tdxModuleIdentities').map(
      readVersionedModule,
    ),
    levels: asArray(json['tcbLevels'], 'tcb_info.tcbLevels').map(readPlatformLevel),
  };
}

/** Returns the newest level whose versions the platform reaches in all components, or undefined. */
export function findPlatformLevel(info: TcbInfo, platform: PckPlatform, report: TdReport): TcbLevelVerdict | undefined {
  const teeSvns = [...report.teeTcbSvn];
  // If the module states its version, the module's own levels cover the first two components.
  const first = teeSvns[1] === 0 ? 0 : 2;
  return info.levels.find(
    (level) =>
      platform.pceSvn >= level.pceSvn &&
      reaches(platform.componentSvns, level.sgxSvns, 0) &&
      reaches(teeSvns, level.tdxSvns, first),
  );
}

interface ModuleFinding {
  id: string;
  /** Null if no listed level fits. Without a stated version, the platform's level covers the module. */
  level: TcbLevelVerdict | null;
  fault: string | null;
}

/** Finds the quote's TDX module in the TCB info, and checks the module's signer and attributes. */
export function findModule(info: TcbInfo, report: TdReport): ModuleFinding {
  const [svn = 0, version = 0] = report.teeTcbSvn;
  if (version === 0) return { id: 'TDX', level: null, fault: moduleFault(info.module, report) };
  const id = `TDX_${version.toString(16).padStart(2, '0').toUpperCase()}`;
  const identity = info.versionedModules.find((candidate) => candidate.id.toUpperCase() === id);
  if (!identity) return { id, level: null, fault: `The TCB info does not list the TDX module ${id}.` };
  const level = identity.levels.find(({ isvSvn }) => svn >= isvSvn);
  return {
    id,
    level: level ?? null,
    fault: level ? moduleFault(identity, report) : `The TDX module ${id} is older than every level of the TCB info.`,
  };
}

function moduleFault(identity: ModuleIdentity, { mrSignerSeam, seamAttributes }: TdReport): string | null {
  if (bytesToHex(mrSignerSeam).toUpperCase() !== identity.mrSigner) return 'The TDX module is not signed by Intel.';
  const mask = BigInt(`0x${identity.attributesMask}`);
  const attributes = BigInt(`0x${bytesToHex(seamAttributes)}`);
  return (attributes & mask) === (BigInt(`0x${identity.attributes}`) & mask)
    ? null
    : 'The TDX module has wrong attributes.';
}

function reaches(svns: readonly number[], wanted: readonly number[], first: number): boolean {
  return wanted.every((svn, index) => index < first || (svns[index] ?? 0) >= svn);
}

function readPlatformLevel(value: unknown, index: number): PlatformLevel {
  const path = `tcb_info.tcbLevels[${index}]`;
  const tcb = asObject(asObject(value, path)['tcb'], `${path}.tcb`);
  return {
    ...readLevelVerdict(value, path),
    sgxSvns: readSvns(tcb, 'sgxtcbcomponents', path),
    tdxSvns: readSvns(tcb, 'tdxtcbcomponents', path),
    pceSvn: asCount(tcb['pcesvn'], `${path}.tcb.pcesvn`),
  };
}

function readSvns(tcb: JsonObject, name: string, path: string): number[] {
  const components = asArray(tcb[name], `${path}.tcb.${name}`);
  if (components.length !== COMPONENTS) throw new Malformed(`${path}.tcb.${name} must have ${COMPONENTS} items.`);
  return components.map((component) =>
    asCount(asObject(component, `${path}.tcb.${name}`)['svn'], `${path}.tcb.${name}`),
  );
}

function readModule(json: JsonObject, path: string): ModuleIdentity {
  return {
    mrSigner: asHex(json['mrsigner'], `${path}.mrsigner`, 48),
    attributes: asHex(json['attributes'], `${path}.attributes`, 8),
    attributesMask: asHex(json['attributesMask'], `${path}.attributesMask`, 8),
  };
}

function readVersionedModule(value: unknown, index: number): VersionedModule {
  const path = `tcb_info.tdxModuleIdentities[${index}]`;
  const json = asObject(value, path);
  const levels = asArray(json['tcbLevels'], `${path}.tcbLevels`).map((level) => ({
    ...readLevelVerdict(level, `${path}.tcbLevels`),
    isvSvn: asCount(asObject(asObject(level, path)['tcb'], path)['isvsvn'], `${path}.tcbLevels.isvsvn`),
  }));
  return { id: asString(json['id'], `${path}.id`), ...readModule(json, path), levels };
}
