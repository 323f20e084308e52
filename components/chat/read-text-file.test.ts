import { describe, expect, it } from 'vitest';
import { FILE_BYTES_MAX } from './attached-files';
import { readTextFiles } from './read-text-file';

const HEX = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const file = (name: string, content: string | Uint8Array) => new File([content as BlobPart], name);

describe('files to attach', () => {
  it.each([
    ['UTF-8, emoji and right-to-left included', 'grüße 🙂 שלום\n'],
    ['UTF-8 with its mark', '\ufeffmarked'],
    ['HTML, which stays text', '<script>alert(1)</script>'],
    ['a transaction among other words', `The transaction 0x${HEX} failed.`],
    ['a line that is a hash', `0x${HEX}\n0x${HEX}`],
  ])('are read: %s', async (_, text) => {
    const { files, refused } = await readTextFiles([file('a.txt', text)], []);
    expect(refused).toEqual([]);
    expect(files[0]?.text).toBe(text.replace('\ufeff', ''));
  });

  it('are read as UTF-16 where they say so', async () => {
    expect((await readTextFiles([file('a.txt', Uint8Array.from([0xff, 0xfe, 0x68, 0, 0x69, 0]))], [])).files).toEqual([
      { name: 'a.txt', text: 'hi' },
    ]);
  });

  it.each([
    ['an image', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff]), /not a text file/],
    ['bytes with a NUL', 'a\0b', /not a text file/],
    ['nothing', '', /is empty/],
    ['more than is read', 'x'.repeat(FILE_BYTES_MAX + 1), /100\.0 kB/],
    ['a private key', HEX, /private key/],
    ['a private key among settings', `RPC_URL=http://localhost\nexport PRIVATE_KEY="0x${HEX}"\n`, /private key/],
    ['a private key in JSON', JSON.stringify({ privateKey: `0x${HEX}` }, null, 2), /private key/],
    ['a private key far down', `${'text\n'.repeat(9_000)}-----BEGIN PRIVATE KEY-----\nMHc`, /private key/],
    ['a private key on a line of its own', `my keys\n${HEX}\n`, /private key/],
  ])('are refused: %s', async (_, content, sentence) => {
    const { files, refused } = await readTextFiles([file('given.txt', content)], []);
    expect(files).toEqual([]);
    expect(refused).toEqual([expect.stringMatching(sentence)]);
    expect(refused[0]).not.toContain(HEX);
  });

  it('are at most five, and so large together, with those that are there', async () => {
    const attached = Array.from({ length: 4 }, (_, index) => ({ name: `${index}.txt`, text: 'x' }));
    expect((await readTextFiles([file('5.txt', 'x'), file('6.txt', 'x')], attached)).refused).toEqual([
      expect.stringContaining('6.txt was left out: 5 files'),
    ]);
    const large = ['a', 'b', 'c'].map((name) => file(name, 'x'.repeat(FILE_BYTES_MAX)));
    expect(await readTextFiles(large, [])).toMatchObject({
      files: [{ name: 'a' }, { name: 'b' }],
      refused: [expect.stringContaining('together')],
    });
  });

  it('that cannot be read are said so', async () => {
    expect(
      (await readTextFiles([{ name: 'folder', size: 4096, arrayBuffer: () => Promise.reject(new Error('no')) }], []))
        .refused,
    ).toEqual([expect.stringContaining('could not be read')]);
  });
});
