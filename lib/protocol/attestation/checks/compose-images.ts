import { isMap, isScalar, parseAllDocuments, visit } from 'yaml';
import { type CheckResult, NotCheckable } from '../../tee/check-list';
import { parseJsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';

const IMAGES_MAX = 64;
const COMPOSE_CHARACTERS_MAX = 1_048_576;
const IMAGE_CHARACTERS_MAX = 512;
/** `NAME@sha256:HEX`, with or without a tag in between (the OCI distribution specification, "pulling manifests"). */
const PINNED = /@sha256:[0-9a-f]{64}$/;

/**
 * Lists the container images that a compose file of dstack starts, each as it stands there: `docker_compose_file` in the
 * JSON of the application is YAML with `services.*.image`. A file that names an image by a tag leaves open which bytes
 * run, whatever its own hash is.
 *
 * @throws {NotCheckable} where no file is there, where it lists none, and as a warning where an image is not pinned by a digest; {Malformed}
 */
export function checkImages(appCompose: string | null): CheckResult<readonly string[]> {
  if (appCompose === null) throw new NotCheckable('The report carries no compose file.');
  const images = imagesOf(appCompose);
  if (images.length === 0) throw new NotCheckable('The compose file names no image.');
  const notPinned = images.filter((image) => !PINNED.test(image));
  const evidence = { images, notPinned };
  if (notPinned.length > 0)
    throw new NotCheckable(
      `Warning: the compose file leaves open which bytes run as ${notPinned.map((image) => (image.includes('${') ? `${image} (a variable of the environment decides)` : image)).join(', ')}.`,
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
    // Wherever the word stands: in a template that services take over it names an image too. Nothing is expanded.
    visit(document, {
      Pair(_, { key, value }) {
        if (!isScalar(key) || key.value !== 'image' || value === null || isMap(value)) return;
        const image = isScalar(value) ? String(value.value) : 'a reference to another place of the file';
        images.add(image.slice(0, IMAGE_CHARACTERS_MAX));
        if (images.size > IMAGES_MAX) throw new Malformed(`The compose file names more than ${IMAGES_MAX} images.`);
      },
    });
  }
  return [...images];
}
