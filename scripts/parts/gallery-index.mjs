import fs from 'node:fs';
import path from 'node:path';

const picture = /^(?<page>.+?)--(?<state>.+)--(?<width>\d+)-(?<theme>light|dark)\.png$/;

/**
 * Writes index.html for a folder of page screenshots: one row per state, with all widths and themes.
 * @param {string} folder
 * @returns {number} number of screenshots
 */
export function writeGalleryIndex(folder) {
  const pictures = fs
    .readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const { page, state, width, theme } = picture.exec(file)?.groups ?? {};
      return page && state && width && theme ? [{ file, page, state, width, theme }] : [];
    });
  /** @type {Map<string, typeof pictures>} */
  const rows = new Map();
  for (const shown of pictures) {
    const title = `${shown.page}: ${shown.state.replaceAll('-', ' ')}`;
    rows.set(title, [...(rows.get(title) ?? []), shown]);
  }
  fs.writeFileSync(path.join(folder, 'index.html'), documentOf([...rows].map(([title, shown]) => rowOf(title, shown))));
  return pictures.length;
}

/** @param {string} title @param {{file: string, width: string, theme: string}[]} shown */
function rowOf(title, shown) {
  const figures = shown
    .sort((one, other) => one.theme.localeCompare(other.theme) * -1 || Number(one.width) - Number(other.width))
    .map(
      ({ file, width, theme }) =>
        `<figure><a href="${encodeURIComponent(file)}"><img loading="lazy" src="${encodeURIComponent(file)}" alt="${title}, ${width} px, ${theme}"></a><figcaption>${width} ${theme}</figcaption></figure>`,
    );
  return `<section id="${encodeURIComponent(title)}"><h2>${title}</h2><div>${figures.join('')}</div></section>`;
}

/** @param {string[]} sections */
function documentOf(sections) {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pages of the console</title>
<style>body{font:14px system-ui;margin:24px;background:#777;color:#fff}div{display:flex;gap:12px;align-items:start;overflow:auto}figure{margin:0}img{height:360px;border:1px solid #333}figcaption{font-size:12px}a{color:inherit}</style>
<h1>Pages of the console</h1>${sections.join('\n')}</html>
`;
}
