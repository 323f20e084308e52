import { asArray, asHex, asObject, asString, type JsonObject, parseJsonObject } from '../json-shape';
import { Malformed } from '../malformed';
import type { PinnedImage, PinnedWorkload } from '../policy';
import type { WorkloadPins } from './known-workload';

const CHARACTERS_MAX = 1_048_576;
const NAME_CHARACTERS_MAX = 200;
const REGISTER_BYTES = 48;
const HASH_BYTES = 32;
const REGISTERS = ['mrTd', 'rtMr0', 'rtMr1', 'rtMr2', 'rtMr3', 'mrConfigId', 'snpMeasurement'] as const;
const HASHES = ['composeHash', 'imageHash', 'snpHostData'] as const;

/**
 * Parses pins, `{"workloads": […], "images": […]}`, in the format of `inference.attestation` in the configuration.
 * Refuses unknown members, because verification would skip a misspelt measurement.
 *
 * @throws {Malformed} naming the faulty member
 */
export function readWorkloadPins(text: string): WorkloadPins {
  if (text.length > CHARACTERS_MAX) throw new Malformed('The file is too long.');
  const json = parseJsonObject(text, 'The file');
  mayHave(json, ['workloads', 'images'], 'The file');
  return {
    pinnedWorkloads: asArray(json['workloads'] ?? [], 'workloads').map((item, index) =>
      workloadOf(asObject(item, `workloads[${index}]`), `workloads[${index}]`),
    ),
    pinnedImages: asArray(json['images'] ?? [], 'images').map((item, index) =>
      imageOf(asObject(item, `images[${index}]`), `images[${index}]`),
    ),
  };
}

function workloadOf(json: JsonObject, path: string): PinnedWorkload {
  mayHave(json, ['name', ...REGISTERS, ...HASHES, 'applicationIn'], path);
  const name = asString(json['name'], `${path}.name`);
  if (name === '' || name.length > NAME_CHARACTERS_MAX)
    throw new Malformed(`${path}.name must have 1 to ${NAME_CHARACTERS_MAX} characters.`);
  const given = (names: readonly string[], bytes: number) =>
    names.flatMap((field) =>
      json[field] === undefined ? [] : [[field, asHex(json[field], `${path}.${field}`, bytes)]],
    );
  const { applicationIn } = json;
  if (applicationIn !== undefined && applicationIn !== 'rtMr2')
    throw new Malformed(`${path}.applicationIn must be "rtMr2".`);
  return {
    name,
    ...(applicationIn && { applicationIn }),
    ...Object.fromEntries([...given(REGISTERS, REGISTER_BYTES), ...given(HASHES, HASH_BYTES)]),
  } as PinnedWorkload;
}

function imageOf(json: JsonObject, path: string): PinnedImage {
  mayHave(json, ['hash', 'mrTd', 'rtMr0', 'rtMr1', 'rtMr2'], path);
  const register = (name: string) => asHex(json[name], `${path}.${name}`, REGISTER_BYTES);
  return {
    hash: asHex(json['hash'], `${path}.hash`, HASH_BYTES),
    mrTd: register('mrTd'),
    rtMr0: register('rtMr0'),
    rtMr1: register('rtMr1'),
    rtMr2: register('rtMr2'),
  };
}

function mayHave(json: JsonObject, names: readonly string[], path: string): void {
  const other = Object.keys(json).find((name) => !names.includes(name));
  if (other !== undefined) throw new Malformed(`${path} has the unknown field ${JSON.stringify(other.slice(0, 40))}.`);
}
