import { isMap, isScalar, parseAllDocuments, visit } from 'yaml';
import { type CheckResult, NotCheckable } from '../../tee/check-list';
import { parseJsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';

const IMAGES_MAX = 64;
const COMPOSE_CHARACTERS_MAX = 1_048_576;
const IMAGE_CHARACTERS_MAX = 512;
/** `NAME@sha256:HEX`, with an optional tag (OCI distribution specification, "pulling manifests"). */
const PINNED = /@sha256:[0-9a-f]{64}$/;

/**
 * Lists the container images of a dstack compose file (`docker_compose_file`, YAML). Only a digest fixes which bytes
 * run; a tag can move.
 *
 * @throws {NotCheckable} without a compose file, without images, or for an image without a digest; {Malformed}
 */
export function checkImages(appCompose: string | null): CheckResult<readonly string[]> {
  if (appCompose === null) throw new NotCheckable('The report carries no compose file.');
  const images = imagesOf(appCompose);
  if (images.length === 0) throw new NotCheckable('The compose file names no image.');
  const notPinned = images.filter((image) => !PINNED.test(image));
  const evidence = { images, notPinned };
  if (notPinned.length > 0)
    throw new NotCheckable(
      `Warning: the compose file does not pin these images by digest: ${notPinned.map((image) => (image.includes('${') ? `${image} (an environment variable decides)` : image)).join(', ')}.`,
      evidence,
    );
  return { established: images, evidence };
}

function imagesOf(appCompose: string): string[] {
  const { docker_compose_file: file } = parseJsonObject(appCompose, 'app_compose');
  if (typeof file !== 'string') return [];
  if (file.length > COMPOSE_CHARACTERS_MAX) throw new Malformed('The compose file is too long.');
  const images = new Set<string>();
  for (const document of parseAllDocuments(file, { merge: true, strict: false })) {
    if (document.errors.length > 0) throw new Malformed('The compose file of the application is not valid YAML.');
    // Visits the whole document, because inherited templates also name images. Variables stay unexpanded.
    visit(document, {
      Pair(_, { key, value }) {
        if (!isScalar(key) || key.value !== 'image' || value === null || isMap(value)) return;
        const image = isScalar(value) ? String(value.value) : 'a reference to another place in the file';
        images.add(image.slice(0, IMAGE_CHARACTERS_MAX));
        if (images.size > IMAGES_MAX) throw new Malformed(`The compose file names more than ${IMAGES_MAX} images.`);
      },
    });
  }
  return [...images];
}
