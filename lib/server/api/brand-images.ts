import type { PageBrand } from '@/lib/protocol/brand';
import type { BrandConfig } from '../config/brand';
import type { SvgImage } from '../config/brand-svg';
import type { Endpoint } from '../http/endpoint';

const PATHS = { logo: '/api/brand/logo.svg', icon: '/api/brand/icon.svg' } as const;

/** Browsers may cache an image, because a changed image has another URL. */
const CACHED = 'public, max-age=31536000, immutable';
/** Content-Security-Policy that applies if a browser opens an image as a document. */
const IMAGE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** Returns the endpoints of the operator's logo and icon, if configured. Public. */
export function brandImages(brand: Pick<BrandConfig, 'logo' | 'icon'>): readonly Endpoint[] {
  return (['logo', 'icon'] as const).flatMap((kind): Endpoint[] => {
    const image = brand[kind];
    return image === null ? [] : [{ path: PATHS[kind], sameOrigin: true, GET: () => imageReply(image) }];
  });
}

function imageReply({ text }: SvgImage) {
  const headers = {
    'content-type': 'image/svg+xml',
    'cache-control': CACHED,
    'content-security-policy': IMAGE_POLICY,
    'x-content-type-options': 'nosniff',
  };
  return { status: 200, headers, body: text };
}

export function pageBrandOf({ logo, icon, ...brand }: BrandConfig): PageBrand {
  const pathOf = (kind: keyof typeof PATHS, image: SvgImage | null): string | null =>
    image && `${PATHS[kind]}?v=${image.version}`;
  return { ...brand, logo: pathOf('logo', logo), icon: pathOf('icon', icon) };
}
