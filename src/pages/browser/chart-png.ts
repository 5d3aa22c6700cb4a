import { need } from './elements.js';

/** Pixels for each CSS pixel, so that the picture stays sharp on paper. */
const DENSITY = 2;
const MARGIN = 16;
const TITLE_HEIGHT = 40;
const FOOT_HEIGHT = 28;

/** Draws the chart as it is shown, with its title and its origin, and saves it. The page's policy allows no data URLs. */
export async function savePng(title: string, name: string): Promise<void> {
  const place = need('[data-chart]');
  const frame = place.getBoundingClientRect();
  const [width, height] = [frame.width + 2 * MARGIN, frame.height + TITLE_HEIGHT + FOOT_HEIGHT];
  const canvas = new OffscreenCanvas(width * DENSITY, height * DENSITY);
  const context = canvas.getContext('2d');
  if (!context) return;
  const { color, fontFamily } = getComputedStyle(place);
  context.scale(DENSITY, DENSITY);
  context.fillStyle = getComputedStyle(need('.card')).backgroundColor;
  context.fillRect(0, 0, width, height);
  context.fillStyle = color;
  context.font = `600 18px ${fontFamily}`;
  context.fillText(title, MARGIN, 26);
  context.font = `12px ${fontFamily}`;
  context.globalAlpha = 0.7;
  context.fillText(`Almanac · ${location.host}`, MARGIN, frame.height + TITLE_HEIGHT + 16);
  context.globalAlpha = 1;
  context.translate(MARGIN - frame.left, TITLE_HEIGHT - frame.top);
  for (const shape of place.querySelectorAll<SVGElement>('rect, text, path')) drawShape(context, shape);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await canvas.convertToBlob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function drawShape(context: OffscreenCanvasRenderingContext2D, shape: SVGElement): void {
  const { left, top, width, height } = shape.getBoundingClientRect();
  const style = getComputedStyle(shape);
  context.fillStyle = style.fill;
  if (shape instanceof SVGPathElement) drawPath(context, shape, style);
  else if (shape instanceof SVGRectElement) context.fillRect(left, top, width, height);
  else if (width > 0) {
    // The shorthand is empty with tabular figures.
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    context.textBaseline = 'middle';
    context.fillText(shape.textContent, left, top + height / 2);
  }
}

/** The style stretches the chart, but not the width of its lines. */
function drawPath(
  context: OffscreenCanvasRenderingContext2D,
  path: SVGPathElement,
  { fill, stroke, strokeWidth, strokeDasharray, strokeLinecap }: CSSStyleDeclaration,
): void {
  const shape = new Path2D();
  // A canvas draws no line without length, as that of a dot.
  const drawn = path.getAttribute('d')?.replaceAll('h0', 'h0.01');
  shape.addPath(new Path2D(drawn), path.getScreenCTM() ?? undefined);
  if (fill !== 'none') context.fill(shape);
  if (stroke === 'none') return;
  context.setLineDash(strokeDasharray.match(/[\d.]+/g)?.map(Number) ?? []);
  const lineWidth = Number.parseFloat(strokeWidth);
  Object.assign(context, { strokeStyle: stroke, lineWidth, lineCap: strokeLinecap, lineJoin: 'round' });
  context.stroke(shape);
}
