/** Takes the space of rows that are not rendered. It has one cell, because a colspan would bring hidden columns back. */
export function Space({ px }: { px: number }) {
  if (px <= 0) return null;
  return (
    <tr style={{ height: px }}>
      <td />
    </tr>
  );
}
