import { need } from './elements.js';
import './listing.js';
import { Picker } from './picker.js';

const select = need<HTMLSelectElement>('[name=base]');
new Picker(select);
select.addEventListener('input', () => select.form?.submit());
