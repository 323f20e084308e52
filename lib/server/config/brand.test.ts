import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BRAND_SLUG, brandNamed, DEFAULT_BRAND } from '@/lib/protocol/brand';
import { isMintToken, mintTokenAudience } from '@/lib/protocol/api-keys/mint-token';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { tempFolder } from '@/test/temp-folder';
import { ConfigError, loadConfig } from './load';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"></svg>';

function brandIn(brand: unknown) {
  const folder = tempFolder();
  writeFileSync(join(folder, 'logo.svg'), SVG);
  writeFileSync(join(folder, 'bad.svg'), SVG.replace('></', '><script/></'));
  writeFileSync(join(folder, 'turnpike.config.json'), JSON.stringify({ brand }));
  return loadConfig({}, folder).brand;
}

function faultsOf(brand: unknown): readonly string[] {
  try {
    brandIn(brand);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('the brand in the configuration', () => {
  it('is Turnpike without images, colours and links by default', () => {
    expect(loadConfig({}, tempFolder()).brand).toEqual({ ...DEFAULT_BRAND, logo: null, icon: null, style: null });
    expect(DEFAULT_BRAND).toEqual({
      name: 'Turnpike',
      slug: 'turnpike',
      signInStatement: 'Sign in to Turnpike',
      links: {},
    });
  });

  it('gives statement and file names by the name, and the icon by the logo', () => {
    const brand = brandIn({ name: 'Acme & Sons RPC+', logo: 'logo.svg' });
    expect(brand).toMatchObject({ slug: 'acme-sons-rpc', signInStatement: 'Sign in to Acme & Sons RPC+', style: null });
    expect(brand.icon).toBe(brand.logo);
    expect(brand.logo?.text).toBe(`${SVG}\n`);
  });

  it.each(['A', 'a.b', 'Acme', 'Acme+', '4U', 'x'.repeat(32), "O'Hara & Co."])('can have the name %j', (name) => {
    const { slug, signInStatement } = brandIn({ name });
    expect(slug).toMatch(BRAND_SLUG);
    expect(isMintToken({ iss: slug, aud: mintTokenAudience(slug) })).toBe(true);
    const signIn = buildSignIn({
      address: `0x${'1'.repeat(40)}`,
      uri: 'https://gateway.example',
      statement: signInStatement,
    });
    expect(signIn.message.statement).toBe(`Sign in to ${name}`);
  });

  it.each([
    '',
    ' ',
    ' Acme',
    'Acme ',
    'x'.repeat(33),
    '-',
    'Ac"me',
    'Acme\r\nX: y',
    '<b>',
    'Café',
    'a\\b',
    '[x](y)',
    '"',
    '{}',
  ])('cannot have the name %j', (name) =>
    expect(faultsOf({ name })).toEqual([expect.stringMatching(/^brand\.name: /)]),
  );

  it.each<[string, unknown, RegExp]>([
    ['a statement over two lines', { signInStatement: 'a\nb' }, /^brand\.signInStatement: /],
    ['a statement that sign-ins cannot have', { signInStatement: 'Sign <in>' }, /^brand\.signInStatement: /],
    ['an empty statement', { signInStatement: '' }, /^brand\.signInStatement: /],
    ['a missing logo', { logo: 'none.svg' }, /^brand\.logo: the file cannot be read/],
    ['an icon with a script', { icon: 'bad.svg' }, /^brand\.icon: has an element <script>/],
    ['a link that runs a script', { links: { terms: 'javascript:alert(1)' } }, /^brand\.links\.terms: /],
    ['a link without an origin', { links: { status: '/status' } }, /^brand\.links\.status: /],
    ['a link that is not known', { links: { imprint: 'https://a.example' } }, /^brand\.links\.?/],
    [
      'a named colour',
      { accent: { light: { fill: 'red' }, dark: { fill: '#ffffff' } } },
      /^brand\.accent\.light\.fill: /,
    ],
    ['one theme alone', { accent: { light: { fill: '#1b5fb0' } } }, /^brand\.accent\.dark/],
    [
      'a colour that cannot be read',
      { accent: { light: { fill: '#f2a31b' }, dark: { fill: '#f4ab2c' } } },
      /^brand\.accent\.light\.text: is #f2a31b, which has a contrast of/,
    ],
  ])('is refused with %s', (_what, brand, says) => expect(faultsOf(brand)).toEqual([expect.stringMatching(says)]));

  it('takes a light fill with darker text', () => {
    const accent = { light: { fill: '#f2a31b', text: '#8a5200' }, dark: { fill: '#f4ab2c' } };
    expect(brandIn({ accent }).style).toContain('--color-amber-ink:light-dark(#8a5200,#f4ab2c)');
  });

  it('has slugs that begin and end with a letter or digit', () => expect(brandNamed('A-+').slug).toBe('a'));
});
