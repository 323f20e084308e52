import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '@/test/temp-folder';
import { checkedSvg, readSvg } from './brand-svg';
import { Faults } from './faults';

const svg = (content: string, attributes = 'viewBox="0 0 8 8"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;

describe('an operator’s image', () => {
  it('keeps shapes, gradients, clips and text', () => {
    const content =
      '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs>' +
      '<g clip-path="url(#c)"><path d="M0 0h8" fill="url(#a)"></path><text x="1">A &#38; B</text></g>';
    expect(checkedSvg(svg(content))).toBe(`${svg(content)}\n`);
  });

  it('loses declarations, comments and unused namespaces, and nothing of the picture', () => {
    const source = `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n${svg('<!-- one --><path d="M0 0"/>', 'xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8"')}`;
    expect(checkedSvg(source)).toBe(`${svg('<path d="M0 0"></path>')}\n`);
  });

  it('gets the namespace that browsers need', () =>
    expect(checkedSvg('<svg viewBox="0 0 8 8"/>')).toBe(`${svg('')}\n`));

  it('keeps colours, turns and gradients that use the stops of another', () => {
    const content =
      '<linearGradient id="b" href="#a"></linearGradient><radialGradient href="#a"></radialGradient>' +
      '<path fill="rgb(1, 2, 3)" transform="translate(1 2) rotate(-45)" aria-label="Acme (R)"></path>';
    expect(checkedSvg(svg(content))).toBe(`${svg(content)}\n`);
  });

  it('has each link once, whichever of its two names was used', () => {
    const links = 'xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8"';
    expect(checkedSvg(svg('<linearGradient href="#a" xlink:href="#a"/>', links))).toBe(
      `${svg('<linearGradient href="#a"></linearGradient>')}\n`,
    );
  });

  it('is not changed by a second check', () => {
    const once = checkedSvg(svg('<title>"A" &lt; B</title><path d="M0 0" aria-label="&quot;&lt;b&gt;&amp;"/>'));
    expect(checkedSvg(once)).toBe(once);
  });

  it.each<[string, string, RegExp]>([
    ['a script', svg('<script>alert(1)</script>'), /<script>/],
    ['a script in upper case', svg('<SCRIPT>alert(1)</SCRIPT>'), /<SCRIPT>/],
    ['HTML', svg('<foreignObject><p/></foreignObject>'), /<foreignObject>/],
    ['an element of another namespace', svg('<p xmlns="http://www.w3.org/1999/xhtml"/>'), /<p>/],
    ['a shape of another namespace', svg('<path xmlns="http://www.w3.org/1999/xhtml" d=""/>'), /<path>/],
    ['a prefixed script', svg('<s:script xmlns:s="http://www.w3.org/2000/svg"/>'), /xmlns:s|s:script/],
    ['a style sheet', svg('<style>@import "//a.example"</style>'), /<style>/],
    ['an embedded image', svg('<image href="https://a.example/x.png"/>'), /<image>/],
    ['a link', svg('<a href="javascript:alert(1)"/>'), /<a>/],
    ['an animation', svg('<animate attributeName="href"/>'), /<animate>/],
    ['a copy of another element', svg('<use href="#a"/>'), /<use>/],
    ['a filter', svg('<filter id="f"/>'), /<filter>/],
    ['an event handler', svg('<path d="" onclick="alert(1)"/>'), /onclick/],
    ['an event handler of the root', svg('', 'onload="alert(1)"'), /onload/],
    ['a style attribute', svg('<path style="fill:url(//a.example)"/>'), /style/],
    ['a reference to another file', svg('<path fill="url(https://a.example/b.svg#c)"/>'), /reference in fill/],
    ['an escaped reference', svg('<path fill="u\\72l(https://a.example)"/>'), /reference in fill/],
    ['a reference written with an entity', svg('<path fill="&#117;rl(//a.example)"/>'), /reference in fill/],
    ['a gradient of another file', svg('<linearGradient href="https://a.example#b"/>'), /href/],
    ['a base', svg('', 'xml:base="https://a.example/"'), /xml:base/],
    ['entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`, /document type/],
    ['a document type', `<!DOCTYPE svg>${svg('')}`, /document type/],
    ['a mixed-case script', svg('<sCrIpT>alert(1)</sCrIpT>'), /<sCrIpT>/],
    ['a script in a shape', svg('<g><g><path><script/></path></g></g>'), /<script>/],
    ['HTML in a title', svg('<title><p xmlns="http://www.w3.org/1999/xhtml">a</p></title>'), /<p>/],
    ['HTML in the namespace of SVG', svg('<iframe srcdoc="&lt;script>"/>'), /<iframe>/],
    ['MathML', svg('<math xmlns="http://www.w3.org/1998/Math/MathML"/>'), /<math>/],
    ['a shape of no namespace', svg('<path xmlns="" d=""/>'), /<path>/],
    ['a prefixed shape', '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', /not an SVG image/],
    [
      'a copy of another file',
      svg('<use xlink:href="//a.example#b" xmlns:xlink="http://www.w3.org/1999/xlink"/>'),
      /<use>/,
    ],
    ['a copy from a data URL', svg('<use href="data:image/svg+xml;base64,PHN2Zy8+#a"/>'), /<use>/],
    ['a filter image', svg('<feImage href="https://a.example/x.png"/>'), /<feImage>/],
    ['a setter', svg('<set attributeName="onload" to="alert(1)"/>'), /<set>/],
    ['a marker', svg('<marker id="m"/>'), /<marker>/],
    ['a font', svg('<font-face-uri href="//a.example"/>'), /<font-face-uri>/],
    ['an event handler in mixed case', svg('<path d="" OnClick="alert(1)"/>'), /OnClick/],
    ['an event handler of a title', svg('<title onmouseover="alert(1)">a</title>'), /onmouseover/],
    ['an attribute in another case', svg('<path D=""/>'), /attribute D /],
    ['a link on a shape', svg('<path href="javascript:alert(1)"/>'), /href/],
    ['a script as a gradient', svg('<radialGradient href="javascript:alert(1)"/>'), /href/],
    ['a broken script as a gradient', svg('<radialGradient href="java&#10;script:alert(1)"/>'), /href/],
    ['a data URL as a gradient', svg('<linearGradient href="data:image/svg+xml,x#a"/>'), /href/],
    [
      'a link of another namespace',
      svg('<linearGradient xlink:href="#a" xmlns:xlink="http://a.example"/>'),
      /xmlns:xlink/,
    ],
    ['a reference to a script', svg('<path fill="url(javascript:alert(1))"/>'), /reference in fill/],
    ['a reference to data', svg('<path mask="url(data:image/svg+xml,x#a)"/>'), /reference in mask/],
    ['a second reference', svg('<path fill="url(#a) url(//a.example)"/>'), /reference in fill/],
    ['a reference with a line break', svg('<path fill="url&#10;(//a.example)"/>'), /reference in fill/],
    ['a set of images', svg('<path mask="image-set(&quot;//a.example&quot; 1x)"/>'), /reference in mask/],
    ['a source', svg('<path fill="src(&quot;//a.example&quot;)"/>'), /reference in fill/],
    ['a reference in a colour', svg('<path fill="rgb(url(//a.example))"/>'), /reference in fill/],
    ['an attribute that every object has', svg('<path __proto__="a"/>'), /attribute __proto__/],
    ['an element that every object has', svg('<constructor/>'), /<constructor>/],
    ['CDATA', svg('<title><![CDATA[<script/>]]></title>'), /CDATA/],
    ['CDATA in lower case', svg('<title><![cdata[a]]></title>'), /CDATA|well-formed/],
    ['entities of entities', `<!DOCTYPE svg [<!ENTITY a "&b;&b;"><!ENTITY b "&a;">]>${svg('&a;')}`, /document type/],
    ['an external entity', `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg('&a;')}`, /document type/],
    ['a mixed-case document type', `<!DocType svg>${svg('')}`, /document type/],
    ['an unknown entity', svg('&nbsp;'), /well-formed/],
    ['a style sheet instruction inside', svg('<?xml-stylesheet href="//a.example"?>'), /instruction/],
    ['an open element', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>', /well-formed/],
    ['an attribute twice', svg('<path d="a" d="b"/>'), /well-formed/],
    ['text after it', `${svg('')}<script/>`, /well-formed/],
    ['another namespace', '<svg xmlns="http://www.w3.org/1999/xhtml"/>', /not an SVG image/],
    ['HTML instead', '<html></html>', /not an SVG image/],
    ['nothing', '', /well-formed|not an SVG image/],
    ['a text', 'a logo', /well-formed|not an SVG image/],
    ['an unquoted attribute', svg('<path d=a/>'), /well-formed/],
    ['a broken entity', svg('<title>&#xZZ;</title>'), /well-formed/],
    ['a zero character', svg('<title>&#0;</title>'), /well-formed/],
    ['an open comment', svg('<!-- <script>'), /well-formed/],
    ['deeper nesting than any stack', svg('<g>'.repeat(9_000) + '</g>'.repeat(9_000)), /nested|well-formed/],
    ['deep nesting', svg('<g>'.repeat(40) + '</g>'.repeat(40)), /nested/],
  ])('is refused with %s', (_what, source, says) => {
    expect(() => checkedSvg(source)).toThrow(says);
  });
});

describe('the file of an image', () => {
  const read = (content: string | Uint8Array | null, name = 'logo.svg') => {
    const folder = tempFolder();
    if (content !== null) writeFileSync(join(folder, name), content);
    const faults = new Faults();
    return { image: readSvg('brand.logo', name, folder, faults), lines: faults.lines() };
  };

  it('is found from the working directory, and its version changes with it', () => {
    const [one, other] = [read(svg('')), read(svg('<g/>'))];
    expect([one.lines, other.lines]).toEqual([[], []]);
    expect(one.image?.text).toBe(`${svg('')}\n`);
    expect(one.image?.version).not.toBe(other.image?.version);
  });

  it.each<[string, string | Uint8Array | null, string, RegExp]>([
    ['is missing', null, 'none.svg', /^brand\.logo: the file cannot be read \(ENOENT\)$/],
    ['is a folder', null, '.', /^brand\.logo: the file cannot be read \(EISDIR\)$/],
    ['is too large', svg(' '.repeat(70_000)), 'large.svg', /more than 65536 bytes/],
    ['is not UTF-8', Uint8Array.of(0xff, 0xfe, 0x3c), 'bytes.svg', /not UTF-8/],
  ])('is a fault of its field if it %s', (_what, content, name, says) => {
    const { image, lines } = read(content, name);
    expect(image).toBeNull();
    expect(lines[0]).toMatch(says);
  });
});
