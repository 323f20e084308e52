import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { DOMParser, type Element, type Node, onWarningStopParsing } from '@xmldom/xmldom';
import { sanitize, type Schema } from 'hast-util-sanitize';
import type { Faults } from './faults';

const BYTES_MAX = 64 * 1024;
const DEPTH_MAX = 32;
const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';

export interface SvgImage {
  text: string;
  /** Part of the image's URL. It changes with the image, so browsers can cache the image. */
  version: string;
}

/** Shapes, text and paints only. No element loads, animates, embeds or runs anything. */
const ELEMENTS = (
  'svg g defs title desc path rect circle ellipse line polyline polygon text tspan ' +
  'linearGradient radialGradient stop clipPath mask'
).split(' ');

const ATTRIBUTES = (
  'id viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points dx dy transform role version ' +
  'fill fill-opacity fill-rule clip-path clip-rule clipPathUnits mask mask-type maskUnits maskContentUnits ' +
  'stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset ' +
  'stroke-opacity opacity color display visibility vector-effect paint-order shape-rendering preserveAspectRatio ' +
  'gradientUnits gradientTransform spreadMethod offset stop-color stop-opacity ' +
  'font-family font-size font-weight font-style text-anchor letter-spacing dominant-baseline aria-hidden'
).split(' ');

/** Allowed functions. Other functions, such as `image-set`, may load a file. */
const FUNCTIONS = 'rgba?|hsla?|hwb|lab|lch|oklab|oklch|matrix|translate|scale|rotate|skewX|skewY';
const VALUE = new RegExp(`^(?:[^()\\\\]|\\b(?:${FUNCTIONS})\\([^()\\\\]*\\))*$`, 'i');
/** Characters that XML forbids. The parser accepts them as references such as `&#0;`. */
const NO_XML = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/u;
const OWN_URL = /^url\(#[\w.-]+\)$/;
const OWN_ID = /^#[\w.-]+$/;

const SCHEMA: Schema = {
  tagNames: ELEMENTS,
  attributes: {
    '*': ['aria-label', ...ATTRIBUTES.map((name): [string, RegExp, RegExp] => [name, VALUE, OWN_URL])],
    // A gradient may use the stops of another gradient in the same image.
    linearGradient: [['href', OWN_ID]],
    radialGradient: [['href', OWN_ID]],
  },
  // The image is a separate document, so its ids need no prefix.
  clobber: [],
};

interface SvgElement {
  type: 'element';
  tagName: string;
  properties: Record<string, string>;
  children: SvgNode[];
}
type SvgNode = SvgElement | { type: 'text'; value: string };

const ELEMENT_NODE = 1;
const TEXT_NODE = 3;
const COMMENT_NODE = 8;

/** Reads an image. If it is missing or not allowed, reports a fault at `field` and returns null. */
export function readSvg(field: string, file: string, cwd: string, faults: Faults): SvgImage | null {
  try {
    const text = checkedSvg(textOf(resolve(/* turbopackIgnore: true */ cwd, file)));
    return { text, version: createHash('sha256').update(text).digest('hex').slice(0, 12) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    faults.set(
      field,
      error instanceof SvgFault ? error.message : `the file cannot be read (${code ?? 'unknown fault'})`,
    );
    return null;
  }
}

class SvgFault extends Error {}

/** Reads at most one byte more than allowed, so that neither a huge file nor a device delays the start. */
function textOf(path: string): string {
  const handle = openSync(/* turbopackIgnore: true */ path, 'r');
  try {
    const buffer = Buffer.alloc(BYTES_MAX + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read)
      read = readSync(handle, buffer, length, buffer.length - length, null);
    if (length > BYTES_MAX) throw new SvgFault(`the image has more than ${BYTES_MAX} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length));
  } catch (error) {
    throw error instanceof TypeError ? new SvgFault('the image is not UTF-8') : error;
  } finally {
    closeSync(handle);
  }
}

/**
 * Parses an image and rebuilds it from what the sanitizer keeps.
 * @throws SvgFault that names the first part that the sanitizer removes
 */
export function checkedSvg(source: string): string {
  // Only a DOCTYPE can declare entities, and entities can expand without limit.
  if (/<!(?:DOCTYPE|ENTITY|\[CDATA\[)/i.test(source))
    throw new SvgFault('has a document type or CDATA: remove it from the image');
  let root: Element | null;
  try {
    root = new DOMParser({ onError: onWarningStopParsing }).parseFromString(source, 'image/svg+xml').documentElement;
  } catch {
    throw new SvgFault('is not a well-formed SVG image');
  }
  if (root?.nodeName !== 'svg' || root.namespaceURI !== SVG)
    throw new SvgFault(`is not an SVG image: expected an <svg> element with xmlns="${SVG}"`);
  const image = treeOf(root, 0);
  const kept = sanitize(image, SCHEMA) as SvgNode;
  requireWhole(image, kept);
  const text = written(kept, ` xmlns="${SVG}"`);
  if (NO_XML.test(text)) throw new SvgFault('is not a well-formed SVG image');
  return `${text}\n`;
}

function treeOf(element: Element, depth: number): SvgElement {
  const { nodeName } = element;
  if (element.namespaceURI !== SVG) throw elementFault(nodeName);
  if (depth > DEPTH_MAX) throw new SvgFault(`has more than ${DEPTH_MAX} nested elements`);
  const attributes = [...element.attributes].filter(({ name, value }) => !isNamespace(name, value));
  return {
    type: 'element',
    tagName: nodeName,
    properties: Object.fromEntries(attributes.map(({ name, value }) => [name === 'xlink:href' ? 'href' : name, value])),
    children: [...element.childNodes].flatMap((child) => nodesOf(child, depth)),
  };
}

function nodesOf(node: Node, depth: number): SvgNode[] {
  if (node.nodeType === ELEMENT_NODE) return [treeOf(node as Element, depth + 1)];
  if (node.nodeType === TEXT_NODE) return [{ type: 'text', value: node.nodeValue ?? '' }];
  if (node.nodeType === COMMENT_NODE) return [];
  throw new SvgFault('has a processing instruction inside the image, which is not allowed');
}

/**
 * Returns whether an attribute declares a known namespace. `checkedSvg` writes the namespace of the root element
 * itself.
 */
function isNamespace(name: string, value: string): boolean {
  return (name === 'xmlns' && value === SVG) || (name === 'xmlns:xlink' && value === XLINK);
}

function requireWhole(given: SvgNode, kept: SvgNode | undefined): void {
  if (given.type === 'text') return;
  const { tagName, properties, children } = given;
  if (kept?.type !== 'element' || kept.tagName !== tagName) throw elementFault(tagName);
  for (const [name, value] of Object.entries(properties))
    if (kept.properties[name] !== value) throw attributeFault(tagName, name);
  children.forEach((child, index) => requireWhole(child, kept.children[index]));
}

function elementFault(name: string): SvgFault {
  return new SvgFault(`has an element <${shown(name)}>, which is not allowed: expected only shapes and gradients`);
}

function attributeFault(element: string, name: string): SvgFault {
  return new SvgFault(
    ATTRIBUTES.includes(name)
      ? `has a reference in ${name} of <${element}>: expected url(#id) of the same image`
      : `has an attribute ${shown(name)} on <${element}>, which is not allowed: remove it from the image`,
  );
}

function written(node: SvgNode, namespace = ''): string {
  if (node.type === 'text') return escaped(node.value);
  const { tagName, properties, children } = node;
  const attributes = Object.entries(properties).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const content = children.map((child) => written(child)).join('');
  return `<${tagName}${namespace}${attributes.join('')}>${content}</${tagName}>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function shown(name: string): string {
  return name.slice(0, 40);
}
