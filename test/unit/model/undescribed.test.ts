/** Members without a description that an agent can reach. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ModelNames } from '../../../src/model/lint/names.ts';
import { undescribedMembers } from '../../../src/model/lint/undescribed.ts';
import { qualified } from '../../../src/model/members.ts';

const CUBES = `cubes:
  - name: orders
    dimensions:
      - name: id
        public: false
      - name: status
        description: Open or closed.
      - name: city
    measures:
      - name: revenue
      - name: count
  - name: hidden
    public: false
    measures:
      - name: cost
`;

const undescribed = (views: string): string[] =>
  undescribedMembers(
    new ModelNames([
      { path: 'model/cubes.yml', text: CUBES },
      { path: 'model/views.yml', text: views },
    ]),
  ).map(qualified);

describe('members without a description', () => {
  it('are those of public cubes', () => {
    assert.deepEqual(undescribed(''), ['orders.city', 'orders.revenue', 'orders.count']);
  });

  it('are those that public views include and do not describe themselves', () => {
    const views = `views:
  - name: sales
    cubes:
      - join_path: orders
        includes:
          - id
          - status
          - city
          - name: revenue
            description: Paid.
      - join_path: orders.hidden
        includes: "*"
  - name: internal
    public: false
    cubes:
      - join_path: orders
        includes: "*"
`;
    assert.deepEqual(undescribed(views), ['orders.city', 'hidden.cost']);
  });
});
