import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { DOMParser, type Element, type Node, onErrorStopParsing } from '@xmldom/xmldom';
import type { Faults } from './faults';

const BYTES_MAX = 64 * 1024;
const DEPTH_MAX = 32;
const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';

export interface SvgImage {
  text: string;
  /** Part of the image's URL. It changes with the image, so that browsers can cache the image at its URL. */
  version: string;
}

/** Shapes and paints only. No element loads, animates, embeds or runs anything. */
const ELEMENTS: ReadonlySet<string> = new Set(
  (
    'svg g defs title desc path rect circle ellipse line polyline polygon text tspan ' +
    'linearGradient radialGradient stop clipPath mask'
  ).split(' '),
);

const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'id viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points dx dy transform role version ' +
    'fill fill-opacity fill-rule clip-path clip-rule clipPathUnits mask mask-type maskUnits maskContentUnits ' +
    'stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset ' +
    'stroke-opacity opacity color display visibility vector-effect paint-order shape-rendering preserveAspectRatio ' +
    'gradientUnits gradientTransform spreadMethod offset stop-color stop-opacity ' +
    'font-family font-size font-weight font-style text-anchor letter-spacing dominant-baseline aria-label aria-hidden'
  ).split(' '),
);

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
 * Parses an image and rebuilds it from allowed elements and attributes, so that browsers get only what was checked.
 * @throws SvgFault that names the first part that is not allowed
 */
export function checkedSvg(source: string): string {
  // Only a document type can declare entities, which can expand without limit.
  if (/<!(?:DOCTYPE|ENTITY|\[CDATA\[)/i.test(source))
    throw new SvgFault('has a document type or CDATA: remove it from the image');
  let root: Element | null;
  try {
    root = new DOMParser({ onError: onErrorStopParsing }).parseFromString(source, 'image/svg+xml').documentElement;
  } catch {
    throw new SvgFault('is not a well-formed SVG image');
  }
  if (root?.nodeName !== 'svg' || root.namespaceURI !== SVG)
    throw new SvgFault(`is no SVG image: expected an <svg> element with xmlns="${SVG}"`);
  return `${written(root, 0)}\n`;
}

function written(element: Element, depth: number): string {
  const { nodeName } = element;
  if (!ELEMENTS.has(nodeName) || element.namespaceURI !== SVG)
    throw new SvgFault(`has an element <${shown(nodeName)}>, which is not allowed: expected only shapes and gradients`);
  if (depth > DEPTH_MAX) throw new SvgFault(`has more than ${DEPTH_MAX} nested elements`);
  const attributes = [...element.attributes].flatMap(({ name, value }) => attributeOf(nodeName, name, value));
  const namespace = depth === 0 ? ` xmlns="${SVG}"` : '';
  const content = [...element.childNodes].map((child) => writtenNode(child, depth)).join('');
  return `<${nodeName}${namespace}${attributes.join('')}>${content}</${nodeName}>`;
}

function writtenNode(node: Node, depth: number): string {
  if (node.nodeType === ELEMENT_NODE) return written(node as Element, depth + 1);
  if (node.nodeType === TEXT_NODE) return escaped(node.nodeValue ?? '');
  if (node.nodeType === COMMENT_NODE) return '';
  throw new SvgFault('has a processing instruction inside the image, which is not allowed');
}

function attributeOf(element: string, name: string, value: string): string[] {
  // Leaves out the namespaces, because the root element gets them elsewhere.
  if ((name === 'xmlns' && value === SVG) || (name === 'xmlns:xlink' && value === XLINK)) return [];
  // A gradient may use the stops of another gradient in the same image.
  if ((name === 'href' || name === 'xlink:href') && /Gradient$/.test(element) && /^#[\w.-]+$/.test(value))
    return [` href="${value}"`];
  if (!ATTRIBUTES.has(name))
    throw new SvgFault(
      `has an attribute ${shown(name)} on <${element}>, which is not allowed: remove it from the image`,
    );
  if (/url\s*\(|\\/i.test(value) && !/^url\(#[\w.-]+\)$/.test(value))
    throw new SvgFault(`has a reference in ${name} of <${element}>: expected url(#id) of the same image`);
  return [` ${name}="${escaped(value)}"`];
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function shown(name: string): string {
  return name.slice(0, 40);
}
